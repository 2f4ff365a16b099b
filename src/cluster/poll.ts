import { untilAnswered, type Waiting } from './retry-read.ts';

/**
 * Looks once a second until it is so; says false when the limit passes first. A look to which nobody answers is a "not yet"; the error
 * of the last one is thrown when it was so until the limit.
 */
export async function until(
  waiting: Waiting,
  limitSeconds: number,
  isSo: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const { clock } = waiting.site.host;
  const endsAt = clock.monotonicSeconds() + limitSeconds;
  while (!(await untilAnswered(waiting, endsAt - clock.monotonicSeconds(), isSo))) {
    if (clock.monotonicSeconds() >= endsAt) return false;
    await clock.sleep(1, waiting.signal);
  }
  return true;
}
