import type { ClientRequest, IncomingMessage, Agent as PlainAgent, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { trustSystemAuthorities } from './authorities.ts';
import { OperationError } from './errors.ts';
import type { HttpRequest, HttpResponse, TlsOptions } from './host.ts';

/** The limit of a request that names none. */
const defaultTimeoutSeconds = 30;
/** An idle connection is closed before the server closes it: the shortest usual keep-alive timeout is 5 s (Node's server, Apache's KeepAliveTimeout). */
const idleMilliseconds = 4000;

/**
 * Sends one request over kept connections, separate for each set of TLS options. No redirect is followed and no request is repeated. No
 * answer is an `OperationError`; an aborted signal rejects with its reason.
 */
export async function http(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const seconds = request.timeoutSeconds ?? defaultTimeoutSeconds;
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  try {
    return answer(request, await send(request, either), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = limit.signal.aborted ? `no answer within ${seconds} s` : reasonOf(cause);
    throw noAnswer(request, reason + unusedProxy(request), cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the head of the response; the signal still ends the reading of the body. */
async function send(
  { method, url, headers, body, tls, address: at }: HttpRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const address = new URL(url);
  // Credentials in the address are not sent: a caller that wants them sent sets the header.
  address.username = '';
  address.password = '';
  const { request, agent } = await transportFor(address.protocol, tls, at);
  return new Promise((resolve, reject) => {
    // Node sets the length of a body only for some methods: without it the server would read the body of a DELETE as the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(address, { method, agent, signal, headers: { ...headers, ...length } });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Transport {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: PlainAgent;
}
const transports = new Map<string, Promise<Transport>>();

function transportFor(protocol: string, tls: TlsOptions | undefined, at: string | undefined): Promise<Transport> {
  const key = JSON.stringify([protocol, tls, at]);
  const transport = transports.get(key) ?? loadTransport(protocol, tls, at);
  transports.set(key, transport);
  return transport;
}

/** Loading TLS takes longer than a request without it. */
async function loadTransport(
  protocol: string,
  tls: TlsOptions | undefined,
  at: string | undefined,
): Promise<Transport> {
  const kept = { keepAlive: true, timeout: idleMilliseconds, ...(at === undefined ? {} : { lookup: always(at) }) };
  if (protocol === 'http:') {
    const { Agent, request } = await import('node:http');
    return { request, agent: new Agent(kept) };
  }
  if (tls?.ca === undefined) await trustSystemAuthorities();
  const { Agent, request } = await import('node:https');
  return { request, agent: new Agent({ ...kept, ...tls }) };
}

/** A look-up that gives this address for any name. */
function always(address: string): LookupFunction {
  const family = isIP(address);
  return (_, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family);
}

function answer(request: HttpRequest, response: IncomingMessage, signal: AbortSignal | undefined): HttpResponse {
  const readable = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* response;
    } catch (cause) {
      signal?.throwIfAborted();
      throw noAnswer(request, `the body broke off: ${reasonOf(cause)}`, cause);
    }
  };
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    chunks: readable,
    text: async () => {
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of readable()) text += decoder.decode(chunk, { stream: true });
      return text + decoder.decode();
    },
    discard: () => {
      response.on('error', () => undefined);
      response.destroy();
    },
  };
}

/** The URL's query and user are left out: they may be secret. */
function noAnswer(request: HttpRequest, reason: string, cause: unknown): OperationError {
  const { origin, pathname } = new URL(request.url);
  return new OperationError({ tried: request.method, on: origin + pathname, reason }, { cause });
}

/** kubectl uses such a proxy, and the server may be reachable only through it. The value is not printed: it may hold a password. */
function unusedProxy({ url }: HttpRequest): string {
  const names = url.startsWith('https:') ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const name = names.find((one) => process.env[one]);
  return name === undefined ? '' : ` (${name} is set, and holdfast goes by no proxy)`;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? ` (${cause.code})` : '';
  return (cause.message || cause.name) + code;
}
