import type { Clock } from '../../host/host.ts';

/** One request's way through time, up to the moment at which its client gives up. */
export interface Trip {
  /** Lets that much time pass; false when the client gave up meanwhile. */
  readonly spend: (seconds: number) => Promise<boolean>;
  /** Nothing will ever come: waits until the client gives up. */
  readonly giveUp: () => Promise<void>;
  readonly secondsSoFar: () => number;
}

export function trip(clock: Pick<Clock, 'monotonicSeconds' | 'sleep'>, timeoutSeconds: number): Trip {
  const beganAt = clock.monotonicSeconds();
  const secondsSoFar = () => clock.monotonicSeconds() - beganAt;
  return {
    secondsSoFar,
    spend: (seconds) => {
      const left = timeoutSeconds - secondsSoFar();
      return clock.sleep(Math.min(seconds, left)).then(() => seconds < left);
    },
    giveUp: () => clock.sleep(timeoutSeconds - secondsSoFar()),
  };
}
