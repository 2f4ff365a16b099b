import { OperationError } from '../../host/errors.ts';
import type { Host, HttpRequest } from '../../host/host.ts';
import type { HealthSettings } from '../settings/settings.ts';

/** Why the basic variant, which has no address to ask, finds no commit healthy. */
export const noHealthAddress = 'no health address';

/** The result of a health check. Only status 200 without `doubt` is healthy. */
export interface Health {
  /** HTTP_STATUS; 0 is curl's 000: no answer. */
  readonly status: number;
  /** Why an answer of 200 does not prove this commit healthy. */
  readonly doubt?: string;
}

/** One answer, without its body. */
export interface HealthAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Step 8 of 4.3: GETs the health addresses and returns the first status that is not 200, or 200. Bodies are not read.
 * `prove` returns why an answer of 200 does not prove the commit, or undefined.
 */
export async function checkHealth(
  host: Pick<Host, 'http' | 'clock'>,
  urls: readonly string[],
  rules: HealthSettings,
  prove: (answer: HealthAnswer) => Promise<string | undefined> = async () => undefined,
  signal?: AbortSignal,
): Promise<Health> {
  const startedSeconds = host.clock.monotonicSeconds();
  const good: boolean[] = [];
  for (;;) {
    const health = await askOnce(host, urls, rules.timeout, prove, signal);
    good.push(isHealthy(health));
    const verdict = decide(good, host.clock.monotonicSeconds() - startedSeconds, rules);
    if (verdict !== 'again' || signal?.aborted) return health;
    await host.clock.sleep(intervalSeconds, signal).catch(() => undefined);
  }
}

export function isHealthy({ status, doubt }: Health): boolean {
  return status === 200 && doubt === undefined;
}

/** Between two attempts, as in Kamal's proxy. */
const intervalSeconds = 1;

/** The verdict of the answers so far. One answer decides, unless the rules allow more: attempts, a deadline, or several in a row. */
export function decide(
  good: readonly boolean[],
  elapsedSeconds: number,
  rules: Pick<HealthSettings, 'attempts' | 'deadline' | 'consecutive'>,
): 'healthy' | 'unhealthy' | 'again' {
  const inARow = good.length - 1 - good.lastIndexOf(false);
  if (inARow >= rules.consecutive) return 'healthy';
  if (rules.deadline !== undefined && elapsedSeconds >= rules.deadline) return 'unhealthy';
  const attempts = rules.attempts ?? (rules.deadline === undefined ? rules.consecutive : Number.POSITIVE_INFINITY);
  return good.length + rules.consecutive - inARow > attempts ? 'unhealthy' : 'again';
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

async function askOnce(
  host: Pick<Host, 'http'>,
  urls: readonly string[],
  timeoutSeconds: number,
  prove: (answer: HealthAnswer) => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<Health> {
  for (const [index, url] of urls.entries()) {
    const answer = await answerOf(host, healthRequest(url, timeoutSeconds), signal);
    if (answer.status !== 200) return { status: answer.status };
    const doubt = cached(answer) ?? (index === 0 ? await prove(answer) : undefined);
    if (doubt !== undefined) return { status: 200, doubt };
  }
  return { status: 200 };
}

/** A cache in between says how old its answer is (RFC 9111, section 5.1). */
function cached({ headers }: HealthAnswer): string | undefined {
  return Number(headers.age) > 0 ? `the answer came from a cache and is ${headers.age} s old` : undefined;
}

async function answerOf(host: Pick<Host, 'http'>, request: HttpRequest, signal?: AbortSignal): Promise<HealthAnswer> {
  try {
    const { status, headers, discard } = await host.http(request, signal);
    discard();
    return { status, headers };
  } catch (error) {
    if (error instanceof OperationError || signal?.aborted) return { status: 0, headers: {} };
    throw error;
  }
}
