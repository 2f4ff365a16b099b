import type { Host } from '../host/host.ts';
import { mayPass } from './may-pass.ts';

/** What waits: its clock, and the signal that ends the waiting. */
export interface Waiting {
  readonly site: { readonly host: Pick<Host, 'clock'> };
  readonly signal?: AbortSignal | undefined;
}

/** For a look that has no limit of its own: as long as an undo asks an API server that is away (undo-action.ts). */
export const answerWithinSeconds = 60;

/**
 * The answer of what only reads. Trouble of the moment is asked again once a second, and thrown when the limit has passed; what is
 * refused for good is thrown at once, and so is the signal's reason.
 */
export async function untilAnswered<T>(
  { site, signal }: Waiting,
  limitSeconds: number,
  read: () => T | Promise<T>,
): Promise<T> {
  const { clock } = site.host;
  const endsAt = clock.monotonicSeconds() + limitSeconds;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!mayPass(error)) throw error;
      signal?.throwIfAborted();
      if (clock.monotonicSeconds() >= endsAt) throw error;
    }
    await clock.sleep(1, signal);
  }
}
