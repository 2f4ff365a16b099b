import type { Host } from '../host/host.ts';
import { mayPass } from './may-pass.ts';

/** The clock to wait by, and the signal that ends the wait. */
export interface Waiting {
  readonly site: { readonly host: Pick<Host, 'clock'> };
  readonly signal?: AbortSignal | undefined;
}

/**
 * The limit of a read that has none of its own: as long as an undo retries while the API server does not answer
 * (undo-action.ts).
 */
export const answerWithinSeconds = 60;

/**
 * Repeats a read once a second until it succeeds. An error that may pass (may-pass.ts) is thrown only when the limit
 * has passed; every other error, and the signal's reason, at once.
 */
export async function retryRead<T>(
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
