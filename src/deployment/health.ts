import { OperationError } from '../host/errors.ts';
import type { Host, HttpRequest } from '../host/host.ts';
import type { HealthSettings } from './settings.ts';

/** Step 8 of 4.3: GETs the health address and keeps only the status of the last request; 0 where nothing answered. */
export async function checkHealth(
  host: Pick<Host, 'http' | 'clock'>,
  url: string,
  rules: HealthSettings,
  signal?: AbortSignal,
): Promise<number> {
  const startedSeconds = host.clock.monotonicSeconds();
  const request = healthRequest(url, rules.timeout);
  const statuses: number[] = [];
  for (;;) {
    statuses.push(await statusOf(host, request, signal));
    const verdict = decide(statuses, host.clock.monotonicSeconds() - startedSeconds, rules);
    if (verdict !== 'again' || signal?.aborted) return statuses.at(-1) ?? 0;
    await host.clock.sleep(intervalSeconds, signal).catch(() => undefined);
  }
}

/** Between two attempts. Kamal's proxy asks as often. */
const intervalSeconds = 1;

/** What the statuses so far mean. One request decides unless the rules allow more: attempts, a deadline, or several in a row. */
export function decide(
  statuses: readonly number[],
  elapsedSeconds: number,
  rules: Pick<HealthSettings, 'attempts' | 'deadline' | 'consecutive'>,
): 'healthy' | 'unhealthy' | 'again' {
  const inARow = statuses.length - 1 - statuses.findLastIndex((status) => status !== 200);
  if (inARow >= rules.consecutive) return 'healthy';
  if (rules.deadline !== undefined && elapsedSeconds >= rules.deadline) return 'unhealthy';
  const attempts = rules.attempts ?? (rules.deadline === undefined ? rules.consecutive : Number.POSITIVE_INFINITY);
  return statuses.length + rules.consecutive - inARow > attempts ? 'unhealthy' : 'again';
}

/** No cached answer is asked for, and a name and password in the address become the header that they stand for (RFC 7617). */
export function healthRequest(address: string, timeoutSeconds: number): HttpRequest {
  const url = new URL(address);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return {
    method: 'GET',
    url: url.href,
    headers: {
      'cache-control': 'no-cache',
      'user-agent': 'holdfast',
      ...(credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
    timeoutSeconds,
  };
}

async function statusOf(host: Pick<Host, 'http'>, request: HttpRequest, signal?: AbortSignal): Promise<number> {
  try {
    const response = await host.http(request, signal);
    response.discard();
    return response.status;
  } catch (error) {
    if (error instanceof OperationError || signal?.aborted) return 0;
    throw error;
  }
}
