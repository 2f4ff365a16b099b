import type { Agent, Dispatcher } from 'undici';
import { OperationError } from './errors.ts';
import type { HttpRequest, HttpResponse, TlsOptions } from './host.ts';

/** For a request that names no limit: what a person waits. */
const USUAL_TIMEOUT_SECONDS = 30;

/**
 * Sends one request with undici, which is imported at the first one, over connections that are kept for each set of TLS options. No redirect is
 * followed and nothing is sent twice. No answer is an `OperationError`; an aborted signal rejects with its reason.
 */
export async function http(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const agent = await agentOf(request.tls);
  const limit = new AbortController();
  const seconds = request.timeoutSeconds ?? USUAL_TIMEOUT_SECONDS;
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  try {
    const url = new URL(request.url);
    const { headers, body } = request;
    return answer(
      request,
      await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        signal: either,
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      }),
      signal,
    );
  } catch (cause) {
    signal?.throwIfAborted();
    throw noAnswer(request, limit.signal.aborted ? `no answer within ${seconds} s` : reason(cause), cause);
  } finally {
    clearTimeout(timer);
  }
}

const agents = new Map<string, Promise<Agent>>();

function agentOf(tls: TlsOptions | undefined): Promise<Agent> {
  const key = JSON.stringify(tls ?? {});
  const agent = agents.get(key) ?? newAgent(tls);
  agents.set(key, agent);
  return agent;
}

/** The request's own limit is the only one: a watch is quiet for as long as nothing happens. */
async function newAgent(tls: TlsOptions | undefined): Promise<Agent> {
  const { Agent: UndiciAgent } = await import('undici');
  return new UndiciAgent({ headersTimeout: 0, bodyTimeout: 0, ...(tls === undefined ? {} : { connect: { ...tls } }) });
}

function answer(
  request: HttpRequest,
  response: Dispatcher.ResponseData,
  signal: AbortSignal | undefined,
): HttpResponse {
  const { body } = response;
  const readable = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (cause) {
      signal?.throwIfAborted();
      throw noAnswer(request, `the body broke off: ${reason(cause)}`, cause);
    }
  };
  return {
    status: response.statusCode,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    chunks: readable,
    text: async () => {
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of readable()) text += decoder.decode(chunk, { stream: true });
      return text + decoder.decode();
    },
    discard: () => {
      body.on('error', () => undefined);
      body.destroy();
    },
  };
}

/** The URL's query and user are left out: they may be secret. */
function noAnswer(request: HttpRequest, cameBack: string, cause: unknown): OperationError {
  const { origin, pathname } = new URL(request.url);
  return new OperationError({ tried: request.method, on: origin + pathname, cameBack }, { cause });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? ` (${cause.code})` : '';
  return (cause.message || cause.name) + code;
}
