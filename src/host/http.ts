import type { ClientRequest, IncomingMessage, Agent as PlainAgent, RequestOptions } from 'node:http';
import { trustSystemAuthorities } from './authorities.ts';
import { environmentProxy, type ForwardProxy } from './environment-proxy.ts';
import type { HttpRequest, HttpResponse, TlsOptions } from './host.ts';
import { noAnswer, reasonOf, textOf } from './no-answer.ts';
import { page } from './probe/page.ts';

/** The limit of a request that names none. */
const defaultTimeoutSeconds = 30;
/**
 * An idle connection is closed before the server closes it: the shortest usual keep-alive timeout is 5 s (Node's
 * server, Apache's KeepAliveTimeout).
 */
const idleMilliseconds = 4000;

/**
 * Sends one request over kept connections, separate for each set of TLS options and each proxy. No redirect is followed
 * and no request is repeated. No answer is an `OperationError`; an aborted signal rejects with its reason.
 */
export async function http(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const seconds = request.timeoutSeconds ?? defaultTimeoutSeconds;
  if (request.asked !== undefined)
    return page({ environment: process.env, ...request.asked, url: request.url }, seconds, signal);
  const limit = new AbortController();
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
  const { method, url, headers, body } = whole;
  const address = new URL(url);
  // Credentials in the address are not sent: a caller that wants them sent sets the header.
  address.username = '';
  address.password = '';
  const { request, agent } = await transportFor(whole, address.protocol);
  return new Promise((resolve, reject) => {
    // Node sets the length of a body only for some methods: without it the server would read the body of a DELETE as
    // the next request.
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

function transportFor(request: HttpRequest, protocol: string): Promise<Transport> {
  const way: Way = { tls: request.tls, proxy: proxyOf(request)?.url };
  const key = JSON.stringify([protocol, way]);
  const transport = transports.get(key) ?? loadTransport(protocol, way);
  transports.set(key, transport);
  return transport;
}

interface Way {
  readonly tls: TlsOptions | undefined;
  readonly proxy: string | undefined;
}

/** Loading TLS takes longer than a request without it. */
async function loadTransport(protocol: string, { tls, proxy }: Way): Promise<Transport> {
  const options = {
    keepAlive: true,
    timeout: idleMilliseconds,
    // NO_PROXY was applied before.
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

/** Its own proxy counts before that of the environment. */
function proxyOf({ url, proxy }: HttpRequest): ForwardProxy | undefined {
  return proxy ?? environmentProxy(new URL(url), process.env);
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
    text: () => textOf(readable()),
    discard: () => {
      response.on('error', () => undefined);
      response.destroy();
    },
  };
}

/** The proxy's address is not printed: it may hold a password. */
function byProxy(request: HttpRequest): string {
  const proxy = proxyOf(request);
  return proxy === undefined ? '' : ` (by the proxy of ${proxy.name})`;
}
