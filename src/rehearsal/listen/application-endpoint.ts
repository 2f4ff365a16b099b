import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { Connection } from '../data-plane/dial.ts';
import { errorPage } from '../data-plane/pages.ts';
import { type Certified, serveRequests } from './http-server.ts';
import type { Endpoint } from './loopback.ts';

/** An idle connection through a Network Load Balancer ends after so long (its documentation, "Connection idle timeout"). */
const patienceSeconds = 350;

/**
 * The way to the application on one port, with a certificate over TLS: each request goes where its Host leads, over its connection's own
 * flow through the embedded cluster. It takes as long as it takes there. Where nobody answers, the connection is accepted all the same,
 * and then reset, or silent until the client gives up.
 */
export function serveApplication({ get }: Pick<DataPlane, 'get'>, tls?: Certified): Promise<Endpoint> {
  const connections = new WeakMap<Socket, Connection>();
  const way: Way = { get, connections, scheme: tls === undefined ? 'http' : 'https' };
  return serveRequests(
    (incoming, outgoing) => {
      pass(way, incoming, outgoing).catch(() => incoming.socket.destroy());
    },
    // A connection ends when the one behind it does, never by a rule of this server.
    { tls, idleSeconds: patienceSeconds },
  );
}

interface Way extends Pick<DataPlane, 'get'> {
  readonly connections: WeakMap<Socket, Connection>;
  readonly scheme: 'http' | 'https';
}

async function pass(
  { get, connections, scheme }: Way,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { socket, method } = incoming;
  // nginx serves files: it refuses what would change them.
  if (method !== 'GET' && method !== 'HEAD') return send(outgoing, 405, errorPage(405));
  const url = URL.parse(`${scheme}://${hostOf(incoming)}${incoming.url}`);
  if (url === null) return send(outgoing, 400, errorPage(400));
  const kept = connections.get(socket);
  const { response, connection } = await get(url, { timeoutSeconds: patienceSeconds, kept });
  if (response === undefined) return void socket.resetAndDestroy();
  if (connection === undefined) outgoing.setHeader('connection', 'close');
  else connections.set(socket, connection);
  send(outgoing, response.status, response.body);
}

function send(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Without its port, which is this endpoint's and not the load balancer's. */
const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '');
