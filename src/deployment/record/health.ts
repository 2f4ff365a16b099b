import { type Failure, OperationError } from '../../host/errors.ts';
import type { Host, HttpResponse } from '../../host/host.ts';
import { bodyHolds } from '../../host/probe/body-holds.ts';
import type { HealthSettings } from '../settings/settings.ts';
import { ask, type HealthRules, withOwnQuery } from './health-request.ts';

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

/** What the checks of a run learn of the site. */
export interface SiteKnowledge {
  /** Whether a cache may answer in front of it; absent where nothing is known of its web server. */
  mayBeCached?: boolean | undefined;
  /** It has answered 200 to an address with a query of our own: then any other answer to such a one is its answer. */
  takesQuery?: true;
  /** Set where a cache of the web server may answer whatever is asked. */
  hidden?: HiddenSite | undefined;
}

/** A site behind a cache whose key leaves out the query. */
export interface HiddenSite {
  /** Such as `fastcgi_cache app`. */
  readonly cache: string;
  /** Where php-fpm gets requests from the web servers. */
  readonly passes: readonly { readonly roots: readonly string[]; readonly address: string }[];
  /** Whether php-fpm itself has answered 200 for the commit before: then another answer of it is the new commit's. */
  phpAnswers?: boolean;
}

/** One answer, without its body. */
export interface HealthAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Step 8 of 4.3: GETs the health addresses and returns the first status that is not 200, or 200. Bodies are not read.
 * `prove` returns why an answer of 200 does not prove the commit, or undefined. With `site` an answer of 200 has to be
 * the site's own, and not that of a cache in front of it.
 */
export async function checkHealth(
  host: Pick<Host, 'http' | 'clock' | 'files'>,
  urls: readonly string[],
  rules: HealthSettings,
  prove: (answer: HealthAnswer) => Promise<string | undefined> = async () => undefined,
  signal?: AbortSignal,
  site?: SiteKnowledge,
): Promise<Health> {
  const startedSeconds = host.clock.monotonicSeconds();
  const good: boolean[] = [];
  for (;;) {
    const health = await askOnce(host, urls, rules, prove, signal, site);
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

/**
 * The verdict of the answers so far. One answer decides, unless the rules allow more: attempts, a deadline, or several
 * in a row.
 */
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
  host: Asking,
  urls: readonly string[],
  rules: HealthSettings,
  prove: (answer: HealthAnswer) => Promise<string | undefined>,
  signal: AbortSignal | undefined,
  site: SiteKnowledge | undefined,
): Promise<Health> {
  for (const [index, url] of urls.entries()) {
    const answer = await own(host, url, rules, signal, site);
    if (answer.status !== 200) return unhealthy(answer, urls);
    const doubt = cached(answer) ?? answer.doubt ?? (index === 0 ? await prove(answer) : undefined);
    if (doubt !== undefined) return { status: 200, doubt };
  }
  return { status: 200 };
}

/**
 * The site's own answer. Where the address itself may have been answered by a cache that says nothing of it, it is
 * asked once more with a query that no cache has. A site that minds the query (3xx, 4xx) has only its first answer,
 * unless it is known to take it.
 */
async function own(
  host: Asking,
  url: string,
  rules: HealthSettings,
  signal: AbortSignal | undefined,
  site: SiteKnowledge | undefined,
): Promise<Answer> {
  const first = await answerOf(host, url, rules, signal);
  if (site === undefined || first.status !== 200 || !hasCache(first, site)) return first;
  const answer = await answerOf(host, withOwnQuery(url, host.clock), rules, signal);
  if (answer.status === 200) site.takesQuery = true;
  const minds = answer.status >= 300 && answer.status < 500 && site.takesQuery !== true;
  return minds ? first : answer;
}

/** A cache says so, or the web server is one that can have a cache which says nothing. */
function hasCache({ headers }: HealthAnswer, { mayBeCached }: SiteKnowledge): boolean {
  if (mayBeCached === true || Object.keys(headers).some((name) => hints.test(name))) return true;
  return mayBeCached === undefined && /nginx|openresty|tengine|varnish|squid/i.test(headers.server ?? '');
}

const hints = /^(?:age|via|x-varnish|cdn-cache|x-cache.*)$|cache-(?:status|hit)$/;

type Asking = Pick<Host, 'http' | 'files' | 'clock'>;

/** Of several addresses the reason names the one. */
function unhealthy({ status, none }: Answer, urls: readonly string[]): Health {
  if (none === undefined) return { status };
  return { status, reason: urls.length === 1 ? none.reason : `${none.on}: ${none.reason}` };
}

/**
 * A cache in between says how old its answer is (RFC 9111, section 5.1), or whether it had one (RFC 9211, and what
 * nginx and others are set to say).
 */
function cached({ headers }: HealthAnswer): string | undefined {
  if (Number(headers.age) > 0) return `the answer came from a cache and is ${headers.age} s old`;
  const said = Object.entries(headers).find(([name, value]) => hitHeaders.test(name) && hit.test(value));
  return said === undefined ? undefined : `the answer came from a cache (${said[0]}: ${said[1].slice(0, 64)})`;
}

const hitHeaders = /^(?:cache-status|cf-cache-status|x-(?:[a-z]+-)?cache(?:-status|-hit)?)$/;
const hit = /^(?:TCP_)?(?:HIT|STALE|UPDATING|REVALIDATED)\b|;\s*hit\b/i;

interface Answer extends HealthAnswer {
  readonly doubt?: string;
  /** Why there was none, and of which address. */
  readonly none?: Pick<Failure, 'on' | 'reason'>;
}

/** The body is read only where the settings say what it has to contain. */
async function answerOf(
  host: Asking,
  url: string,
  rules: HealthRules,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const limit = AbortSignal.timeout(rules.timeout * 1000);
  try {
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const response = await ask(host, url, rules, either);
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
