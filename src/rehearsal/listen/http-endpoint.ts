import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest, HttpResponse } from '../../host/host.ts';
import { type Certified, serveRequests } from './http-server.ts';
import type { Endpoint } from './loopback.ts';
import { jsonOfProtobuf } from './protobuf.ts';

export interface HttpEndpointOptions {
  /** Without it plain HTTP is spoken. */
  readonly tls?: Certified;
  /** Put before the path of every request. */
  readonly origin: string;
  /** The signal says that the client is gone. A rejection resets the connection. */
  readonly answer: (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse | undefined>;
}

/** Requests of real sockets as the embedded servers take them, and their answers piece by piece; what has no answer is a 404. */
export function serveHttp({ tls, origin, answer }: HttpEndpointOptions): Promise<Endpoint> {
  return serveRequests(
    (incoming, outgoing) => {
      exchange({ origin, answer }, incoming, outgoing).catch(() => outgoing.destroy());
    },
    { tls },
  );
}

async function exchange(
  { origin, answer }: HttpEndpointOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const bytes = await bodyOf(incoming);
  if (bytes === undefined) return void outgoing.writeHead(413).end();
  const { headers, body } = asText(incoming.headers, bytes);
  const request: HttpRequest = {
    method: incoming.method as HttpRequest['method'],
    url: `${origin}${incoming.url}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(body === '' ? {} : { body }),
  };
  const response = await answer(request, gone.signal);
  if (response === undefined) return void outgoing.writeHead(404).end();
  await send(response, outgoing, gone.signal);
}

/** What the Kubernetes API takes at most (apiserver, `MaxRequestBodyBytes`: 3 MiB). */
const longestBodyBytes = 3 * 1024 * 1024;

/** Undefined when it is too long. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > longestBodyBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The embedded servers speak text alone: what came in protobuf and is known goes on in JSON. */
function asText(headers: IncomingHttpHeaders, bytes: Buffer) {
  const json = headers['content-type'] === 'application/vnd.kubernetes.protobuf' ? jsonOfProtobuf(bytes) : undefined;
  if (json === undefined) return { headers, body: bytes.toString('utf8') };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: json };
}

/** The head goes at once: a watch may have nothing to say for a while. */
async function send(response: HttpResponse, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  outgoing.writeHead(response.status, { ...response.headers });
  outgoing.flushHeaders();
  for await (const piece of response.chunks()) {
    if (signal.aborted) break;
    if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal });
  }
  outgoing.end();
}
