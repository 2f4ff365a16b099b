import { chosenDuration } from '../../figures/figures.js';
import type { Command } from '../../host/host.ts';
import type { OpcacheSettings } from './fpm-configuration.ts';
import type { PoolAnswer } from './pool-script.ts';

/** Pools that share one opcache: what one of them forgets all have forgotten. */
export interface SharedCache {
  readonly addresses: readonly string[];
  /** What brings the new code if none of them can be reset; absent if the old code would stay. */
  readonly otherwise?: Wait;
}

/** The time in which opcache looks at its files by itself. */
export interface Wait {
  readonly seconds: number;
  readonly because: string;
}

/**
 * How php-fpm is made to run the new code: opcache may answer with the old one for seconds, or for ever
 * (docs/facts/php-opcache.md).
 */
export type Means = (
  | { readonly by: 'not-needed'; readonly because: string }
  /** A script in a pool of each cache forgets the old code. `visited`: a page was requested in the last seconds. */
  | (Told & { readonly by: 'fastcgi'; readonly visited: boolean })
  | { readonly by: 'command'; readonly command: Command }
  /** `told` are the caches that can be reset, which happens before. */
  | (Wait & { readonly by: 'waiting'; readonly told?: Told })
  /** The old code would stay: no health check could verify a commit. */
  | { readonly by: 'impossible'; readonly because: string }
) & {
  /** What cannot be known, a sentence each. */
  readonly warnings?: readonly string[];
};

/** Caches that are proved to serve the checkout: if one of them cannot be reset, the step fails. */
export interface Told {
  readonly caches: readonly SharedCache[];
}

/** A pool that may serve the site. */
export interface AskedPool {
  readonly address: string;
  /** Pools with the same one share an opcache. */
  readonly master: string;
  readonly settings: OpcacheSettings;
  /** Whether the configuration proves that it serves the checkout. */
  readonly isOurs: boolean;
  /** `busy`: no worker was free in time. Absent where the pool cannot be asked. */
  readonly answer?: PoolAnswer | 'busy';
  /** Why it cannot be asked. */
  readonly trouble?: string;
}

/** Stands for an address where PHP runs in Apache's own processes. */
export const apacheAddress = 'Apache';

const phpAt = (address: string | undefined): string =>
  address === apacheAddress ? 'PHP in Apache (mod_php)' : `php-fpm at ${address}`;

/**
 * Decides from the pools that were asked. A cache with compiled files of the checkout serves it; one without a proof is
 * left alone.
 */
export function decideMeans(pools: readonly AskedPool[]): Means {
  const caching = pools.filter((pool) => settingsOf(pool).enabled);
  const caches = [...Map.groupBy(caching, ({ master }) => master).values()].map(cacheOf);
  const ours = caches.filter(({ isOurs }) => isOurs);
  if (ours.length === 0) return withoutProof(caching);
  const stuck = ours.find((cache) => isStuck(cache));
  if (stuck !== undefined) return { by: 'impossible', because: whyStuck(stuck) };
  const told = { caches: ours.filter((cache) => cache.told.length > 0).map(sharedCache) };
  const silent = ours.filter((cache) => cache.told.length === 0);
  if (silent.length > 0) return { by: 'waiting', ...waitOf(silent.flatMap((cache) => cache.pools)), told };
  const foreign = caches.filter((cache) => !cache.isOurs && cache.told.length === 0).map(warning);
  const warnings = [...foreign, ...ours.flatMap(fullWarning)];
  return { by: 'fastcgi', ...told, visited: ours.some(({ isVisited }) => isVisited), warnings };
}

/**
 * A pool that may not be asked may serve the checkout all the same. Of one that answers and has compiled nothing of it
 * there is nothing to forget.
 */
function withoutProof(caching: readonly AskedPool[]): Means {
  if (caching.length === 0) return { by: 'not-needed', because: 'no php-fpm runs here' };
  const warnings = [unproven(caching)];
  const silent = caching.filter(({ trouble }) => trouble !== undefined);
  const stuck = silent.find(({ settings }) => settings.preloads || !settings.validateTimestamps || isLong(settings));
  if (stuck !== undefined) return { by: 'impossible', because: whyUnknown(stuck) };
  if (silent.length > 0) return { by: 'waiting', ...waitOf(silent), warnings };
  return { by: 'not-needed', because: 'no php-fpm that runs here is known to serve this checkout', warnings };
}

/** Longer than anybody would wait at each deploy for a pool of which nothing is known. PHP's default is 2 s. */
const isLong = ({ revalidateSeconds }: OpcacheSettings): boolean => revalidateSeconds > 10;

function whyUnknown({ address }: AskedPool): string {
  return `php-fpm at ${address} may serve this checkout and run its old code for long, and it cannot be asked: name in opcache.fastcgi the socket of the one that does, or write opcache.wait: 0s where none does.`;
}

/** The pools of one php-fpm. */
interface Cache {
  readonly pools: readonly AskedPool[];
  readonly isOurs: boolean;
  readonly isVisited: boolean;
  /** The pools that can be reset; those that are proved to be ours come first. */
  readonly told: readonly string[];
}

function cacheOf(pools: readonly AskedPool[]): Cache {
  const proved = pools.filter(({ isOurs }) => isOurs);
  const able = (proved.length > 0 ? proved : pools).filter(
    ({ isOurs, answer }) => answerOf(answer)?.forgotten || (isOurs && answer === 'busy'),
  );
  return {
    pools: proved.length > 0 ? proved : pools,
    isOurs: proved.length > 0 || pools.some(hasCompiled),
    isVisited: pools.some(({ isOurs, answer }) => answerOf(answer)?.visited || (isOurs && answer === 'busy')),
    told: able.map(({ address }) => address),
  };
}

/** Whether it has compiled files of the checkout: then it serves it. */
export function hasCompiled({ answer }: AskedPool): boolean {
  return (answerOf(answer)?.cached ?? 0) > 0;
}

function sharedCache({ pools, told: addresses }: Cache): SharedCache {
  if (!pools.every((pool) => settingsOf(pool).validateTimestamps)) return { addresses };
  return { addresses, otherwise: waitOf(pools) };
}

function answerOf(answer: AskedPool['answer']): PoolAnswer | undefined {
  return answer === 'busy' ? undefined : answer;
}

function settingsOf({ settings, answer }: AskedPool): OpcacheSettings {
  return answerOf(answer) ?? settings;
}

/**
 * Whether it would run the old code for ever: it preloads classes, or never looks at files again and cannot be made to
 * forget them.
 */
function isStuck({ pools, told }: Cache): boolean {
  return pools.some((pool) => settingsOf(pool).preloads || (!settingsOf(pool).validateTimestamps && told.length === 0));
}

function whyStuck({ pools }: Cache): string {
  const preloading = pools.find((pool) => settingsOf(pool).preloads);
  const pool = preloading ?? pools.find((each) => !settingsOf(each).validateTimestamps);
  const cause = preloading === undefined ? 'opcache.validate_timestamps is 0' : 'it preloads classes (opcache.preload)';
  const how =
    pool?.address === apacheAddress
      ? 'name in opcache.reload a command that makes Apache start afresh, such as apachectl graceful'
      : 'name its socket in opcache.fastcgi, or in opcache.reload a command that makes php-fpm start afresh';
  return `${phpAt(pool?.address)} goes on running the old code, because ${cause} and it cannot be made to forget it: ${how}.`;
}

function unproven(pools: readonly AskedPool[]): string {
  const addresses = pools.map(({ address }) => address).join(', ');
  return `nothing says that php-fpm at ${addresses} serves this checkout, so its opcache is left alone: if one does, name its socket in opcache.fastcgi`;
}

function warning({ pools }: Cache): string {
  const addresses = pools.map(({ address }) => address).join(', ');
  return `php-fpm at ${addresses} cannot be made to forget old code, and nothing says that it serves this checkout: it is left alone`;
}

/** Of caches that are full, or will be before the site has been compiled once more. */
function fullWarning({ pools }: Cache): readonly string[] {
  const full = pools.find(({ answer }) => isFull(answerOf(answer)));
  if (full === undefined) return [];
  const answer = answerOf(full.answer);
  const why = answer?.full
    ? 'is full'
    : `has room for ${answer?.keysLeft} files more, and the site has ${answer?.cached}`;
  return [
    `the opcache of ${phpAt(full.address)} ${why}: what does not fit is compiled for each request. Raise opcache.max_accelerated_files or opcache.memory_consumption, or reload php-fpm`,
  ];
}

function isFull(answer: PoolAnswer | undefined): boolean {
  return answer !== undefined && (answer.full || (answer.keysLeft ?? Number.POSITIVE_INFINITY) < answer.cached);
}

/**
 * A file is looked at again when `revalidate_freq` seconds have passed since the last look, in whole seconds: so one
 * more is waited for.
 */
function waitOf(pools: readonly AskedPool[]): Wait {
  return longestOf(
    pools.map((pool) => {
      const seconds = settingsOf(pool).revalidateSeconds;
      const because = `${phpAt(pool.address)} cannot be made to forget the old code and looks at its files every ${chosenDuration(seconds)}`;
      return { seconds: seconds + 1, because };
    }),
  ) as Wait;
}

/** Undefined of none. */
export function longestOf(waits: readonly Wait[]): Wait | undefined {
  return waits.toSorted((a, b) => b.seconds - a.seconds)[0];
}
