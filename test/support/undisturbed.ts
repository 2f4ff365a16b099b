import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** How often the delay of the event loop is measured. */
const resolutionMilliseconds = 5;
const mostTries = 50;

/**
 * Runs a check of a short time limit. On a busy machine this process may stand still for longer than the limit, and
 * then a failure means nothing: a check that fails while the process stood still for that long is repeated.
 */
export async function undisturbed(stillSeconds: number, check: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const delay = monitorEventLoopDelay({ resolution: resolutionMilliseconds });
    delay.enable();
    try {
      return await check();
    } catch (error) {
      await pause(2 * resolutionMilliseconds);
      if (tries === mostTries || delay.max / 1e9 < stillSeconds) throw error;
    } finally {
      delay.disable();
    }
  }
}
