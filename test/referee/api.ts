import { readCredentials } from '../../src/cluster/credentials.ts';
import type { Host, HttpRequest } from '../../src/host/host.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: objects of every kind of every API group are read here.
  readonly body: any;
}

export interface Sent {
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Requests to an API server as they are; no answer is retried or judged. */
export interface Api {
  ask(method: HttpRequest['method'], path: string, sent?: Sent): Promise<Answer>;
  /** The events of a watch, until the signal is aborted or the server ends it. */
  watch(path: string, signal: AbortSignal): AsyncIterable<WatchEvent>;
}
export interface WatchEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly object: any;
}

/** How a request reaches the server: `host.http`, or an embedded cluster's API. */
export type Send = Host['http'];

export function apiBy(send: Send, server: string, more: () => Promise<Partial<HttpRequest>>): Api {
  return {
    ask: async (method, path, { body, contentType = 'application/json' } = {}) => {
      const { headers, ...rest } = await more();
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await send({
        ...rest,
        ...content,
        method,
        url: `${server}${path}`,
        headers: { accept: 'application/json', 'content-type': contentType, ...headers },
      });
      const text = await response.text();
      return { status: response.status, body: parsed(text) };
    },
    watch: async function* (path, signal) {
      const { headers, ...rest } = await more();
      const response = await send(
        { ...rest, method: 'GET', url: `${server}${path}`, headers: { accept: 'application/json', ...headers } },
        signal,
      );
      yield* linesOf(response.chunks());
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchEvent;
  }
}

/** The API server of a kubeconfig. */
export async function apiOf(host: Host, kubeconfig: string): Promise<Api> {
  const { access } = await readCredentials(host, { kubeconfig, environment: {} });
  return apiBy(host.http, access.server, async () => {
    const headers = (await access.headers?.(false)) ?? {};
    const tls = typeof access.tls === 'function' ? access.tls() : access.tls;
    return { headers, ...(tls === undefined ? {} : { tls }) };
  });
}
