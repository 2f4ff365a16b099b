import { type Failure, OperationError } from '../../host/errors.ts';
import type { Host, HttpResponse } from '../../host/host.ts';
import { bodyHolds } from '../../host/probe/body-holds.ts';
import type { HealthSettings } from '../settings/settings.ts';
import { ask, type HealthRules } from './health-request.ts';

/** The result of a health check. Only status 200 without `doubt` is healthy. */
export interface Health {
  /** HTTP_STATUS; 0 is curl's 000: no answer. */
  readonly status: number;
  /** Why an answer of 200 does not prove this commit healthy. */
  readonly doubt?: string;
  /** There is no address to ask, as in the basic variant: no commit is found healthy. */
  readonly unasked?: true;
  /** Why there was no answer, or what the application has logged as its reason for another status. */
  readonly reason?: string;
  /** When the check began, ISO 8601, and how long it took; absent where nothing was asked. */
  readonly at?: string;
  readonly seconds?: number;
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
  host: Pick<Host, 'http' | 'clock' | 'files'>,
  urls: readonly string[],
  rules: HealthSettings,
  prove: (answer: HealthAnswer) => Promise<string | undefined> = async () => undefined,
  signal?: AbortSignal,
): Promise<Health> {
  const startedSeconds = host.clock.monotonicSeconds();
  const good: boolean[] = [];
  for (;;) {
    const health = await askOnce(host, urls, rules, prove, signal);
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

async function askOnce(
  host: Pick<Host, 'http' | 'files'>,
  urls: readonly string[],
  rules: HealthSettings,
  prove: (answer: HealthAnswer) => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<Health> {
  for (const [index, url] of urls.entries()) {
    const answer = await answerOf(host, url, rules, signal);
    if (answer.status !== 200) return unhealthy(answer, urls);
    const doubt = cached(answer) ?? answer.doubt ?? (index === 0 ? await prove(answer) : undefined);
    if (doubt !== undefined) return { status: 200, doubt };
  }
  return { status: 200 };
}

/** Of several addresses the reason names the one. */
function unhealthy({ status, none }: Answer, urls: readonly string[]): Health {
  if (none === undefined) return { status };
  return { status, reason: urls.length === 1 ? none.reason : `${none.on}: ${none.reason}` };
}

/** A cache in between says how old its answer is (RFC 9111, section 5.1). */
function cached({ headers }: HealthAnswer): string | undefined {
  return Number(headers.age) > 0 ? `the answer came from a cache and is ${headers.age} s old` : undefined;
}

interface Answer extends HealthAnswer {
  readonly doubt?: string;
  /** Why there was none, and of which address. */
  readonly none?: Pick<Failure, 'on' | 'reason'>;
}

/** The body is read only where the settings say what it has to contain. */
async function answerOf(
  host: Pick<Host, 'http' | 'files'>,
  url: string,
  rules: HealthRules,
  signal?: AbortSignal,
): Promise<Answer> {
  const limit = AbortSignal.timeout(rules.timeout * 1000);
  try {
    const response = await ask(host, url, rules, signal === undefined ? limit : AbortSignal.any([signal, limit]));
    const { status, headers } = response;
    const { bodyContains } = rules;
    const holds = status !== 200 || bodyContains === undefined || bodyHolds(bodyContains, await beginningOf(response));
    response.discard();
    return holds ? { status, headers } : { status, headers, doubt: `its body does not contain ${bodyContains}` };
  } catch (error) {
    const none = whyNone(error, url, rules, signal);
    return { status: 0, headers: {}, ...(none === undefined ? {} : { none }) };
  }
}

/** Undefined where it was interrupted; any other error is thrown. */
function whyNone(error: unknown, url: string, { timeout }: HealthRules, signal?: AbortSignal): Answer['none'] {
  if (error instanceof OperationError) return error.failure;
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  if (isLate) return { on: new URL(url).host, reason: `no whole answer within ${timeout} s` };
  if (signal?.aborted) return undefined;
  throw error;
}

/** What is looked through of a page, in characters. */
const mostCharacters = 1024 * 1024;

async function beginningOf(response: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.chunks()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= mostCharacters) break;
  }
  return text;
}
