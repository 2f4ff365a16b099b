import type { LoadPlan } from './load-plan.ts';

/** Takes one request after the other. */
export interface Pace {
  /**
   * Seconds until the next request is due, `elapsedSeconds` after the start; 0 if it is due now, less if it was due
   * before, undefined if none is left.
   */
  readonly next: (elapsedSeconds: number) => number | undefined;
}

/**
 * A request of a rate that could not be sent within this time after it was due is not sent any more: later it would be
 * another load. A connection of Linux that lost its SYN is opened after a second (RFC 6298, section 2), and is still in
 * time.
 */
export const mostLateSeconds = 1.5;

export function paceOf({ requests, rate }: Pick<LoadPlan, 'requests' | 'rate'>): Pace {
  let taken = 0;
  if (rate === undefined) return { next: () => (taken++ < requests ? 0 : undefined) };
  return {
    next: (elapsedSeconds) => {
      while (taken < requests) {
        const waitSeconds = (rate.first + taken++ * rate.every) / rate.perSecond - elapsedSeconds;
        if (waitSeconds >= -mostLateSeconds) return waitSeconds;
      }
      return undefined;
    },
  };
}
