import type { Run } from '../run/run.ts';
import type { Means } from './means.ts';

/**
 * Waits until shortly after the beginning of a second, when php-fpm has to forget the old code. opcache looks at a
 * file once a second, with the first request: so until the next second begins, all pages are made of files that it has
 * already looked at, and none of old and new code together. Without visitors nothing is waited for.
 */
export async function alignToOpcacheSecond(
  { host, interruption }: Pick<Run, 'host' | 'interruption'>,
  means: Means,
): Promise<void> {
  if (means.by !== 'fastcgi' || !means.visited) return;
  const seconds = secondsUntilAligned(host.clock.wallAt());
  if (seconds > 0) await host.clock.sleep(seconds, interruption).catch(() => undefined);
}

/** Seconds from this moment (epoch milliseconds) until one that leaves enough of its second for a deploy. */
export function secondsUntilAligned(at: number): number {
  const passed = (at % 1000) / 1000;
  if (passed < firstRequestsSeconds) return firstRequestsSeconds - passed;
  return 1 - passed >= enoughSeconds ? 0 : 1 - passed + firstRequestsSeconds;
}

/**
 * Ten requests at 200 a second, after which opcache has looked at the files. With fewer visitors fewer pages can be
 * torn.
 */
const firstRequestsSeconds = 0.05;
/** Renames, reset and seven artisan commands in one process take 0.1 to 0.2 s on two slow cores (measured). */
const enoughSeconds = 0.3;
