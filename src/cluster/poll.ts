import { retryRead, type Waiting } from './retry-read.ts';

/**
 * Checks once a second until the condition holds (true) or the limit has passed (false). A check that fails for a
 * moment counts as "not yet"; if the last check before the limit failed, its error is thrown.
 */
export async function poll(
  waiting: Waiting,
  limitSeconds: number,
  holds: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const { clock } = waiting.site.host;
  const endsAt = clock.monotonicSeconds() + limitSeconds;
  while (!(await retryRead(waiting, endsAt - clock.monotonicSeconds(), holds))) {
    if (clock.monotonicSeconds() >= endsAt) return false;
    await clock.sleep(1, waiting.signal);
  }
  return true;
}
