import { streamResponse, textResponse } from '../api-server/responses.ts';
import type { Container } from '../machines/containers.ts';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import type { ContainerLog, LogLine } from './container-log.ts';

/** `namespace/name` of the pod whose log is asked for; undefined for any other request. */
export function podOfLog({ method, url }: HttpRequest): string | undefined {
  if (method !== 'GET' || !URL.canParse(url)) return undefined;
  const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log$/.exec(new URL(url).pathname) ?? [];
  return namespace === undefined ? undefined : `${decodeURIComponent(namespace)}/${decodeURIComponent(name ?? '')}`;
}

export interface AskedLog {
  readonly request: HttpRequest;
  readonly log: ContainerLog;
  readonly container: Pick<Container, 'name' | 'podKey'>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether the API server reaches the kubelet. */
  readonly isReachable: boolean;
  readonly signal: AbortSignal | undefined;
}

const plain = { 'content-type': 'text/plain' };

/**
 * The log as a kubelet sends it (v1 PodLogOptions): `follow`, `timestamps`, `sinceTime`, `sinceSeconds`, `tailLines`,
 * `limitBytes`; the log from before a restart is not kept.
 */
export function logResponse({ request, log, container, now, isReachable, signal }: AskedLog): HttpResponse {
  const query = new URL(request.url).searchParams;
  if (!isReachable)
    return status(500, 'InternalError', 'Get "https://node:10250/containerLogs": dial tcp: i/o timeout');
  if (isOn(query, 'previous')) {
    const [name, pod] = [container.name, container.podKey.split('/')[1]];
    return status(400, 'BadRequest', `previous terminated container "${name}" in pod "${pod}" not found`);
  }
  const stop = new AbortController();
  const end = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  return streamResponse(
    cut(pieces(log, query, now, end), Number(query.get('limitBytes') ?? Infinity)),
    () => stop.abort(),
    plain,
  );
}

const isOn = (query: URLSearchParams, key: string): boolean => ['true', '1'].includes(query.get(key) ?? '');

async function* pieces(
  log: ContainerLog,
  query: URLSearchParams,
  now: number,
  end: AbortSignal,
): AsyncGenerator<string> {
  const text = isOn(query, 'timestamps') ? timed : ({ text: line }: LogLine) => `${line}\n`;
  const there = log.lines();
  const since = sinceOf(query, now);
  const first = there.findIndex(({ at }) => at >= since);
  const tail = there.length - Number(query.get('tailLines') ?? Infinity);
  let next = Math.max(first === -1 ? there.length : first, tail, 0);
  const aborted = new Promise<true>((resolve) => end.addEventListener('abort', () => resolve(true), { once: true }));
  for (;;) {
    const lines = log.lines().slice(next);
    next += lines.length;
    if (lines.length > 0) yield lines.map(text).join('');
    if (!isOn(query, 'follow') || end.aborted || (await Promise.race([log.more(next), aborted]))) return;
  }
}

/** The API's time has whole seconds: the API server passes no smaller part of it on to the kubelet. */
function sinceOf(query: URLSearchParams, now: number): number {
  const [time, seconds] = [query.get('sinceTime'), query.get('sinceSeconds')];
  if (seconds !== null) return now - 1000 * Number(seconds);
  return time === null ? Number.NEGATIVE_INFINITY : Math.floor(Date.parse(time) / 1000) * 1000;
}

/** The CRI's time, with nine digits of a second. */
const timed = ({ at, nanoseconds, text }: LogLine): string =>
  `${new Date(at).toISOString().slice(0, -1)}${String(nanoseconds).padStart(6, '0')}Z ${text}\n`;

async function* cut(texts: AsyncGenerator<string>, bytes: number): AsyncGenerator<string> {
  let left = bytes;
  for await (const text of texts) {
    const piece = Buffer.from(text).subarray(0, left);
    left -= piece.length;
    yield piece.toString();
    if (left <= 0) return;
  }
}

function status(code: number, reason: string, message: string): HttpResponse {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return textResponse(code, () => JSON.stringify(body), { 'content-type': 'application/json' });
}
