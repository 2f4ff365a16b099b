import type { Clock } from '../outside/clock.ts';

/** The moment at which the client of one request gives up, and the waiting until then. */
export interface RequestDeadline {
  /** Sleeps that long, at most until the deadline; false when the deadline came first. */
  readonly sleep: (seconds: number) => Promise<boolean>;
  readonly sleepUntilDeadline: () => Promise<void>;
  /** Since the request began. */
  readonly elapsedSeconds: () => number;
}

export function requestDeadline(
  clock: Pick<Clock, 'monotonicSeconds' | 'sleep'>,
  timeoutSeconds: number,
): RequestDeadline {
  const startedAt = clock.monotonicSeconds();
  const elapsedSeconds = () => clock.monotonicSeconds() - startedAt;
  return {
    elapsedSeconds,
    sleep: (seconds) => {
      const left = timeoutSeconds - elapsedSeconds();
      return clock.sleep(Math.min(seconds, left)).then(() => seconds < left);
    },
    sleepUntilDeadline: () => clock.sleep(timeoutSeconds - elapsedSeconds()),
  };
}
