import type { LoadError, LoadPlan, LoadResult } from '../host.ts';
import { microseconds, percentilesOf, rowsOf, stepOf, stepsWithin } from './histogram.ts';
import type { Histogram, LoadCounted } from './load-plan.ts';
import { mostLateSeconds } from './pace.ts';

/** Counts the requests of a load as they end. */
export interface Tally {
  readonly answered: (status: number, seconds: number) => void;
  readonly failed: (error: LoadError) => void;
  /** The counts of a load that began at `startedAt` (epoch milliseconds) and took `seconds`. */
  readonly end: (startedAt: number, seconds: number) => LoadCounted;
}

/** RFC 9110, section 15: three digits, the first of them 1 to 5. */
const afterLastStatus = 600;

/** Its memory does not grow with the number of requests. */
export function tally({
  requests,
  timeoutSeconds,
  rate,
}: Pick<LoadPlan, 'requests' | 'timeoutSeconds' | 'rate'>): Tally {
  const statuses = new Uint32Array(afterLastStatus);
  const errors = new Map<LoadError, number>();
  const counts = new Uint32Array(stepsWithin(timeoutSeconds + (rate === undefined ? 0 : mostLateSeconds)));
  let maxSeconds = 0;
  return {
    answered: (status, seconds) => {
      statuses[status] = (statuses[status] as number) + 1;
      const step = Math.min(stepOf(seconds), counts.length - 1);
      counts[step] = (counts[step] as number) + 1;
      if (seconds > maxSeconds) maxSeconds = seconds;
    },
    failed: (error) => errors.set(error, (errors.get(error) ?? 0) + 1),
    end: (startedAt, seconds) =>
      counted({
        requests,
        startedAt,
        seconds,
        statuses: Object.fromEntries(seen(statuses)),
        errors: Object.fromEntries(errors),
        histogram: { steps: seen(counts), maxSeconds },
      }),
  };
}

const seen = (counts: Uint32Array): [number, number][] => [...counts.entries()].filter(([, count]) => count > 0);

/** What was counted of a load, and how many requests were asked for. */
export interface Counts extends Pick<LoadResult, 'startedAt' | 'seconds' | 'statuses' | 'errors'> {
  readonly requests: number;
  readonly histogram: Histogram;
}

/** What was asked for and is under no status and no error was not sent, or cancelled before it had an outcome. */
export function counted({ requests, startedAt, seconds, statuses, errors, histogram }: Counts): LoadCounted {
  const unsent = requests - total(statuses) - total(errors);
  return {
    startedAt,
    seconds: microseconds(seconds),
    statuses,
    errors: Object.fromEntries(Object.entries(errors).sort(([a], [b]) => a.localeCompare(b, 'en'))),
    ...(unsent === 0 ? {} : { unsent }),
    latency: rowsOf(histogram),
    percentiles: percentilesOf(histogram),
    histogram,
  };
}

export const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
