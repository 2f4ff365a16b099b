import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { type ApiServer, createApiServer } from '../../packages/embedded-cluster/src/api-server/api-server.ts';
import { randomStreams } from '../../packages/embedded-cluster/src/outside/random.ts';
import { systemClock } from '../../src/host/clock.ts';
import type { HttpRequest, HttpResponse } from '../../src/host/host.ts';
import { type Authority, certificateAuthority } from './certificates.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The embedded API server in real time behind HTTPS on loopback, with a certificate authority of its own. */
export interface ServedApi {
  readonly url: string;
  readonly authority: Authority;
  readonly api: ApiServer;
  /** The user of a request; undefined is a 401. Every request is accepted by default. */
  admits: (caller: Caller) => boolean;
  readonly callers: Caller[];
  /** Breaks every connection, watches too. */
  readonly cut: () => void;
}
export interface Caller {
  readonly authorization: string | undefined;
  readonly impersonated: string | undefined;
  /** The common name of the client's certificate. */
  readonly certificate: string | undefined;
}

/** Needs openssl. */
export async function serveApi(t: Pick<TestContext, 'after'>): Promise<ServedApi> {
  const authority = certificateAuthority(temporaryFolder(t));
  const api = createApiServer({ clock: systemClock(), random: randomStreams('served') });
  const { key, cert } = authority.sign('server', 'IP:127.0.0.1,DNS:api.example');
  const files = { key: readFileSync(key), cert: readFileSync(cert), ca: readFileSync(authority.ca) };
  const server = createServer({ ...files, requestCert: true, rejectUnauthorized: false }, (incoming, outgoing) => {
    answer(served, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const served: ServedApi = {
    url: `https://127.0.0.1:${port}`,
    authority,
    api,
    admits: () => true,
    callers: [],
    cut: () => server.closeAllConnections(),
  };
  return served;
}

async function answer(served: ServedApi, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const caller = callerOf(incoming);
  served.callers.push(caller);
  if (!served.admits(caller)) {
    outgoing.writeHead(401, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 }));
    return;
  }
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const response = await served.api.handle(await requestOf(served, incoming), gone.signal);
  await send(response, outgoing);
}

function callerOf({ headers, socket }: IncomingMessage): Caller {
  const certificate = (socket as TLSSocket).getPeerCertificate();
  const name = (socket as TLSSocket).authorized ? certificate.subject?.CN : undefined;
  return {
    authorization: headers.authorization,
    impersonated: headers['impersonate-user']?.toString(),
    certificate: typeof name === 'string' ? name : undefined,
  };
}

async function requestOf({ url }: ServedApi, incoming: IncomingMessage): Promise<HttpRequest> {
  const chunks = await Array.fromAsync(incoming as AsyncIterable<Buffer>);
  const body = Buffer.concat(chunks).toString('utf8');
  return {
    method: incoming.method as HttpRequest['method'],
    url: `${url}${incoming.url}`,
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    ...(body === '' ? {} : { body }),
  };
}

async function send(response: HttpResponse, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, { ...response.headers });
  for await (const chunk of response.chunks()) outgoing.write(chunk);
  outgoing.end();
}
