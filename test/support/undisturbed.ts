import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** How often it looks, in milliseconds. */
const RESOLUTION = 5;
const MOST_TRIES = 50;

/**
 * A deed whose subject is a short time limit, with what is demanded of it. On a busy machine this process may stand still for longer than the limit,
 * and then a failure says nothing: a deed that fails and in which it stood still for that long is done again.
 */
export async function undisturbed(stillSeconds: number, deed: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
    delay.enable();
    try {
      return await deed();
    } catch (error) {
      await pause(2 * RESOLUTION);
      if (tries === MOST_TRIES || delay.max / 1e9 < stillSeconds) throw error;
    } finally {
      delay.disable();
    }
  }
}
