import type { Clock } from '../../host/host.ts';
import type { Visit } from './visitors.ts';

/** The requests of one second and what became of them; one that failed slowly counts as failed and as slow. */
export interface VisitorCounts {
  readonly requests: number;
  readonly failed: number;
  readonly slow: number;
  readonly torn: number;
}
/** `second`: when the requests began, ISO 8601, rounded down to the second. */
export type CountedSecond = { readonly second: string } & VisitorCounts;

/**
 * Counts visits by the second in which they began. A second is given away when the next but one has begun; what is
 * answered later is given away as a second time for the same second.
 */
export function visitorCounts(
  clock: Pick<Clock, 'wallAt' | 'monotonicSeconds'>,
  slowSeconds: number,
  counted: (second: CountedSecond) => void,
): { readonly add: (visit: Visit) => void; readonly end: () => void } {
  const open = new Map<number, VisitorCounts>();
  const giveUntil = (last: number): void => {
    for (const [second, counts] of [...open].toSorted(([one], [other]) => one - other)) {
      if (second > last) return;
      open.delete(second);
      counted({ second: new Date(second * 1000).toISOString(), ...counts });
    }
  };
  return {
    add(visit) {
      const now = clock.wallAt() / 1000;
      const second = Math.floor(now - (clock.monotonicSeconds() - visit.at));
      open.set(second, withVisit(open.get(second), visit, slowSeconds));
      giveUntil(Math.floor(now) - 2);
    },
    end: () => giveUntil(Number.POSITIVE_INFINITY),
  };
}

const none: VisitorCounts = { requests: 0, failed: 0, slow: 0, torn: 0 };

function withVisit(counts: VisitorCounts = none, { good, seconds, torn }: Visit, slowSeconds: number): VisitorCounts {
  return {
    requests: counts.requests + 1,
    failed: counts.failed + (good ? 0 : 1),
    slow: counts.slow + (seconds > slowSeconds ? 1 : 0),
    torn: counts.torn + (torn ? 1 : 0),
  };
}
