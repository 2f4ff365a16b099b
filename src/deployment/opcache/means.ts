import type { Command } from '../../host/host.ts';
import type { OpcacheSettings } from './fpm-configuration.ts';
import type { PoolAnswer } from './pool-script.ts';

/** How the site is brought to run the new code: opcache may answer with the old one for seconds, or for ever. */
export type Means =
  | { readonly by: 'nothing' }
  /** `visited` where somebody asks for pages just now. */
  | { readonly by: 'fastcgi'; readonly addresses: readonly string[]; readonly visited: boolean }
  | { readonly by: 'command'; readonly command: Command }
  | { readonly by: 'waiting'; readonly seconds: number; readonly because: string }
  /** No commit can be called verified. */
  | { readonly by: 'none'; readonly because: string };

/** A pool that may serve the site; `answer` is undefined where it could not be asked. */
export interface AskedPool {
  readonly address: string;
  readonly settings: OpcacheSettings;
  readonly answer?: PoolAnswer;
}

/** Decides from what was found. A pool that has compiled the checkout's files serves it; without such a pool any of them might. */
export function decideMeans(pools: readonly AskedPool[]): Means {
  const caching = pools.filter(({ settings, answer }) => (answer ?? settings).enabled);
  const serving = caching.filter(({ answer }) => (answer?.cached ?? 0) > 0);
  const concerned = serving.length > 0 ? serving : caching;
  const silent = concerned.filter(({ answer }) => answer?.forgotten !== true);
  const stuck = concerned.find((pool) => isStuck(pool));
  if (stuck !== undefined) return { by: 'none', because: whyStuck(stuck) };
  if (silent.length > 0) return { by: 'waiting', ...longestWait(silent) };
  if (concerned.length === 0) return { by: 'nothing' };
  return {
    by: 'fastcgi',
    addresses: concerned.map(({ address }) => address),
    visited: concerned.some(({ answer }) => answer?.visited === true),
  };
}

function settingsOf({ settings, answer }: AskedPool): OpcacheSettings {
  return answer ?? settings;
}

/** Preloaded classes, and files that are never looked at again by a pool that cannot be told to. */
function isStuck(pool: AskedPool): boolean {
  const { preloads, validateTimestamps } = settingsOf(pool);
  return preloads || (!validateTimestamps && pool.answer?.forgotten !== true);
}

function whyStuck(pool: AskedPool): string {
  const cause = settingsOf(pool).preloads
    ? 'it preloads classes (opcache.preload)'
    : 'opcache.validate_timestamps is 0';
  const how = 'name its socket in opcache.fastcgi, or in opcache.reload a command that makes php-fpm start afresh';
  return `php-fpm at ${pool.address} goes on running the old code, because ${cause} and it cannot be told to forget it: ${how}.`;
}

/** A file is looked at again when the second that is revalidate_freq after the last look is over. */
function longestWait(pools: readonly AskedPool[]): { readonly seconds: number; readonly because: string } {
  const slowest = pools.toSorted(
    (a, b) => settingsOf(b).revalidateSeconds - settingsOf(a).revalidateSeconds,
  )[0] as AskedPool;
  const seconds = settingsOf(slowest).revalidateSeconds;
  return {
    seconds: seconds + 1,
    because: `php-fpm at ${slowest.address} cannot be told to forget the old code and looks at its files every ${seconds} s`,
  };
}
