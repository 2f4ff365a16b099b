import type { Run } from '../run/run.ts';
import type { Means } from './means.ts';

/**
 * Returns early in a second, where the old code will be forgotten all at once. opcache counts in whole seconds: until
 * the next one begins it goes on with what it has looked at in this one, so that no page is made of old and new files.
 * It looks when the second's first requests come: they are let pass. Where nobody visits, nothing is waited for.
 */
export async function earlyInASecond(
  { host, interruption }: Pick<Run, 'host' | 'interruption'>,
  means: Means,
): Promise<void> {
  if (means.by !== 'fastcgi' || !means.visited) return;
  const seconds = secondsUntilEarly(host.clock.wallAt());
  if (seconds > 0) await host.clock.sleep(seconds, interruption).catch(() => undefined);
}

/** How long it is from this moment (epoch milliseconds) until one with enough of its second left. */
export function secondsUntilEarly(at: number): number {
  const passed = (at % 1000) / 1000;
  if (passed < firstRequestsSeconds) return firstRequestsSeconds - passed;
  return 1 - passed >= enoughSeconds ? 0 : 1 - passed + firstRequestsSeconds;
}

/** Ten requests at 200 a second. Where visitors are fewer, fewer of them can meet what was not looked at. */
const firstRequestsSeconds = 0.05;
/** The renames, the reset and seven cached artisan commands in one process take 0.1 to 0.2 s on two slow cores. */
const enoughSeconds = 0.3;
