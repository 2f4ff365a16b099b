import type { ClientRequest, IncomingMessage, Agent as PlainAgent, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { trustSystemAuthorities } from './authorities.ts';
import { environmentProxy, type ForwardProxy } from './environment-proxy.ts';
import { OperationError } from './errors.ts';
import type { HttpRequest, HttpResponse, TlsOptions } from './host.ts';

/** The limit of a request that names none. */
const defaultTimeoutSeconds = 30;
/** An idle connection is closed before the server closes it: the shortest usual keep-alive timeout is 5 s (Node's server, Apache's KeepAliveTimeout). */
const idleMilliseconds = 4000;

/**
 * Sends one request over kept connections, separate for each set of TLS options and each proxy. No redirect is followed and no request is
 * repeated. No answer is an `OperationError`; an aborted signal rejects with its reason.
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
    throw noAnswer(request, reason + byProxy(request), cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the head of the response; the signal still ends the reading of the body. */
async function send(whole: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, customMethod = method, url, headers, body } = whole;
  const address = new URL(url);
  // Credentials in the address are not sent: a caller that wants them sent sets the header.
  address.username = '';
  address.password = '';
  const { request, agent } = await transportFor(whole, address.protocol);
  return new Promise((resolve, reject) => {
    // Node sets the length of a body only for some methods: without it the server would read the body of a DELETE as the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(address, { method: customMethod, agent, signal, headers: { ...headers, ...length } });
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

function transportFor(request: HttpRequest, protocol: string): Promise<Transport> {
  const { tls, addresses: at, family } = request;
  const way: Way = { tls, at, family, proxy: proxyOf(request)?.url };
  const key = JSON.stringify([protocol, way]);
  const transport = transports.get(key) ?? loadTransport(protocol, way);
  transports.set(key, transport);
  return transport;
}

interface Way {
  readonly tls: TlsOptions | undefined;
  readonly at: readonly string[] | undefined;
  readonly family: 4 | 6 | undefined;
  readonly proxy: string | undefined;
}

/** Loading TLS takes longer than a request without it. */
async function loadTransport(protocol: string, { tls, at, family, proxy }: Way): Promise<Transport> {
  const options = {
    keepAlive: true,
    timeout: idleMilliseconds,
    // With a family of its own Node tries one address alone.
    ...(at === undefined ? { family } : { lookup: always(at, family) }),
    // Which hosts go by no proxy was decided already.
    ...(proxy === undefined ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  };
  if (protocol === 'http:') {
    const { Agent, request } = await import('node:http');
    return { request, agent: new Agent(options) };
  }
  if (tls?.ca === undefined) await trustSystemAuthorities();
  const { Agent, request } = await import('node:https');
  return { request, agent: new Agent({ ...options, ...tls }) };
}

/** A request to given addresses goes there; else its own proxy counts before that of the environment. */
function proxyOf({ url, addresses, proxy }: HttpRequest): ForwardProxy | undefined {
  if (addresses !== undefined || proxy?.url === '') return undefined;
  return proxy ?? environmentProxy(new URL(url), process.env);
}

/** A look-up that gives these addresses for any name, or those of the family. */
function always(addresses: readonly string[], wanted?: 4 | 6): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const found = all.filter(({ family }) => wanted === undefined || family === wanted);
  const [first] = found;
  return (name, options, callback) => {
    if (first === undefined) callback(new Error(`${name} has no address of IPv${wanted}`), []);
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
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

/** The proxy's address is not printed: it may hold a password. */
function byProxy(request: HttpRequest): string {
  const proxy = proxyOf(request);
  return proxy === undefined ? '' : ` (by the proxy of ${proxy.name})`;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? ` (${cause.code})` : '';
  return (cause.message || cause.name) + code;
}
