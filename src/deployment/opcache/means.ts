import type { Command } from '../../host/host.ts';
import type { OpcacheSettings } from './fpm-configuration.ts';
import type { PoolAnswer } from './pool-script.ts';

/** How php-fpm is made to run the new code: opcache may answer with the old one for seconds, or for ever (docs/facts/php-opcache.md). */
export type Means =
  | { readonly by: 'not-needed' }
  /** A script in each pool forgets the old code. `visited`: a page was requested in the last seconds. */
  | { readonly by: 'fastcgi'; readonly addresses: readonly string[]; readonly visited: boolean }
  | { readonly by: 'command'; readonly command: Command }
  | { readonly by: 'waiting'; readonly seconds: number; readonly because: string }
  /** The old code would stay: no health check could verify a commit. */
  | { readonly by: 'impossible'; readonly because: string };

/** A pool that may serve the site; `answer` is absent where it did not answer. */
export interface AskedPool {
  readonly address: string;
  readonly settings: OpcacheSettings;
  readonly answer?: PoolAnswer;
}

/** Decides from the pools that were found. A pool with compiled files of the checkout serves it; without such a pool any pool may. */
export function decideMeans(pools: readonly AskedPool[]): Means {
  const caching = pools.filter(({ settings, answer }) => (answer ?? settings).enabled);
  const serving = caching.filter(({ answer }) => (answer?.cached ?? 0) > 0);
  const concerned = serving.length > 0 ? serving : caching;
  const silent = concerned.filter(({ answer }) => answer?.forgotten !== true);
  const stuck = concerned.find((pool) => isStuck(pool));
  if (stuck !== undefined) return { by: 'impossible', because: whyStuck(stuck) };
  if (silent.length > 0) return { by: 'waiting', ...longestWait(silent) };
  if (concerned.length === 0) return { by: 'not-needed' };
  return {
    by: 'fastcgi',
    addresses: concerned.map(({ address }) => address),
    visited: concerned.some(({ answer }) => answer?.visited === true),
  };
}

function settingsOf({ settings, answer }: AskedPool): OpcacheSettings {
  return answer ?? settings;
}

/** Whether the pool would run the old code for ever: it preloads classes, or never looks at files again and cannot be made to forget them. */
function isStuck(pool: AskedPool): boolean {
  const { preloads, validateTimestamps } = settingsOf(pool);
  return preloads || (!validateTimestamps && pool.answer?.forgotten !== true);
}

function whyStuck(pool: AskedPool): string {
  const cause = settingsOf(pool).preloads
    ? 'it preloads classes (opcache.preload)'
    : 'opcache.validate_timestamps is 0';
  const how = 'name its socket in opcache.fastcgi, or in opcache.reload a command that makes php-fpm start afresh';
  return `php-fpm at ${pool.address} goes on running the old code, because ${cause} and it cannot be made to forget it: ${how}.`;
}

/** A file is looked at again when `revalidate_freq` seconds have passed since the last look, in whole seconds: so one more is waited for. */
function longestWait(pools: readonly AskedPool[]): { readonly seconds: number; readonly because: string } {
  const slowest = pools.toSorted(
    (a, b) => settingsOf(b).revalidateSeconds - settingsOf(a).revalidateSeconds,
  )[0] as AskedPool;
  const seconds = settingsOf(slowest).revalidateSeconds;
  return {
    seconds: seconds + 1,
    because: `php-fpm at ${slowest.address} cannot be made to forget the old code and looks at its files every ${seconds} s`,
  };
}
