import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import { type Certified, serveRequests } from './http-server.ts';
import type { Endpoint } from './loopback.ts';
import { jsonOfProtobuf } from './protobuf.ts';

export interface HttpEndpointOptions {
  /** Without it the endpoint speaks plain HTTP. */
  readonly tls?: Certified;
  /** Put before the path of every request. */
  readonly origin: string;
  /** The signal is aborted when the client leaves. Undefined: a 404. A rejection resets the connection. */
  readonly answer: (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse | undefined>;
}

/** Serves an embedded server on a real socket: hands it each request and streams its response. */
export function serveHttp({ tls, origin, answer }: HttpEndpointOptions): Promise<Endpoint> {
  const held: Held = { bytes: 0 };
  return serveRequests(
    (incoming, outgoing) => {
      exchange({ origin, answer, held }, incoming, outgoing).catch(() => outgoing.destroy());
    },
    { tls },
  );
}

/** The bodies of all requests that are not answered yet. */
interface Held {
  bytes: number;
}

async function exchange(
  { origin, answer, held }: Pick<HttpEndpointOptions, 'origin' | 'answer'> & { readonly held: Held },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  const own: Held = { bytes: 0 };
  outgoing.once('close', () => {
    left.abort();
    held.bytes -= own.bytes;
    own.bytes = 0;
  });
  const bytes = await bodyOf(incoming, own, held);
  if (bytes === undefined) return send(tooLarge, outgoing, left.signal);
  const { headers, body } = asText(incoming.headers, bytes);
  const request: HttpRequest = {
    method: incoming.method as HttpRequest['method'],
    url: `${origin}${incoming.url}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(body === '' ? {} : { body }),
  };
  const response = await answer(request, left.signal);
  if (response === undefined) return void outgoing.writeHead(404).end();
  await send(response, outgoing, left.signal);
}

/** The limit of the Kubernetes API (apiserver, `MaxRequestBodyBytes`). */
const maximumBodyBytes = 3 * 1024 * 1024;
/** Of all requests together: twenty of the longest at once. */
const maximumHeldBytes = 20 * maximumBodyBytes;

/** The whole body; undefined if it is too long: it is read to its end then too, so that its client reads the answer. */
async function bodyOf(incoming: IncomingMessage, own: Held, held: Held): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let isTooLong = false;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    isTooLong ||= own.bytes + piece.length > maximumBodyBytes || held.bytes + piece.length > maximumHeldBytes;
    const more = isTooLong ? -own.bytes : piece.length;
    own.bytes += more;
    held.bytes += more;
    if (isTooLong) pieces.length = 0;
    else pieces.push(piece);
  }
  return isTooLong ? undefined : Buffer.concat(pieces);
}

/** Converts protobuf bodies of known kinds to JSON, because the embedded servers read text only. */
function asText(headers: IncomingHttpHeaders, bytes: Buffer) {
  const json = headers['content-type'] === 'application/vnd.kubernetes.protobuf' ? jsonOfProtobuf(bytes) : undefined;
  if (json === undefined) return { headers, body: bytes.toString('utf8') };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: json };
}

/** Sends the head at once, because the first event of a watch may come much later. */
async function send(response: HttpResponse, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  outgoing.writeHead(response.status, inBytes(response.headers));
  outgoing.flushHeaders();
  for await (const piece of response.chunks()) {
    if (signal.aborted) break;
    if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal });
  }
  outgoing.end();
}

/** The values in UTF-8, of which Node takes each byte as a character of Latin-1. */
function inBytes(headers: HttpResponse['headers']): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]));
}

/** A complete response with that text. */
export function textResponse(status: number, contentType: string, text: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': contentType },
    text: async () => text,
    chunks: async function* () {
      yield new TextEncoder().encode(text);
    },
    discard: () => undefined,
  };
}

const tooLarge = textResponse(
  413,
  'application/json',
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Request entity too large: limit is ${maximumBodyBytes}`,
    reason: 'RequestEntityTooLarge',
    code: 413,
  }),
);
