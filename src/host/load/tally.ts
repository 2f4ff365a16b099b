import type { LoadError, LoadPlan, LoadResult } from '../host.ts';

/** Counts the requests of a load as they end. */
export interface Tally {
  readonly answered: (status: number, seconds: number) => void;
  readonly failed: (error: LoadError) => void;
  /** The counts of a load that began at `startedAt` (epoch milliseconds) and took `seconds`. */
  readonly end: (startedAt: number, seconds: number) => LoadResult;
}

/** The ratio of two neighbouring steps of the histogram: percentiles are at most 1 % too high. */
const growth = 1.01;
const shortestSeconds = 1e-6;
/** RFC 9110, section 15: three digits, the first of them 1 to 5. */
const afterLastStatus = 600;
/** The rows of the report: 1, 2 and 5 of each power of ten from a millisecond to 100 s. */
const rows = [-3, -2, -1, 0, 1].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power)).concat(100);

/** Its memory does not grow with the number of requests. */
export function tally({ timeoutSeconds }: Pick<LoadPlan, 'timeoutSeconds'>): Tally {
  const statuses = new Uint32Array(afterLastStatus);
  const errors = new Map<LoadError, number>();
  const counts = new Uint32Array(stepOf(Math.max(timeoutSeconds, shortestSeconds)) + 2);
  let max = 0;
  return {
    answered: (status, seconds) => {
      statuses[status] = (statuses[status] as number) + 1;
      const step = Math.min(stepOf(seconds), counts.length - 1);
      counts[step] = (counts[step] as number) + 1;
      if (seconds > max) max = seconds;
    },
    failed: (error) => errors.set(error, (errors.get(error) ?? 0) + 1),
    end: (startedAt, seconds) => ({
      startedAt,
      seconds: rounded(seconds),
      statuses: Object.fromEntries([...statuses.entries()].filter(([, count]) => count > 0)),
      errors: Object.fromEntries([...errors].sort(([a], [b]) => a.localeCompare(b, 'en'))),
      latency: histogram(counts, max),
      percentiles: percentiles(counts, max),
    }),
  };
}

/** Seconds of a step's upper end: `growth ** step` microseconds. */
const upperOf = (step: number): number => shortestSeconds * growth ** step;
const stepOf = (seconds: number): number =>
  seconds <= shortestSeconds ? 0 : Math.ceil(Math.log(seconds / shortestSeconds) / Math.log(growth));

function histogram(counts: Uint32Array, max: number): LoadResult['latency'] {
  let step = 0;
  return rows.flatMap((upToSeconds, index) => {
    const isLast = index === rows.length - 1;
    let count = 0;
    for (; step < counts.length && (isLast || Math.min(upperOf(step), max) <= upToSeconds); step += 1)
      count += counts[step] as number;
    return count === 0 ? [] : [{ upToSeconds, count }];
  });
}

/** By the nearest-rank method. */
function percentiles(counts: Uint32Array, max: number): LoadResult['percentiles'] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const at = (share: number): number => {
    let left = Math.ceil(total * share);
    let step = -1;
    while (left > 0) left -= counts[++step] as number;
    return rounded(Math.min(max, step < 0 ? 0 : upperOf(step)));
  };
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: rounded(max) };
}

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
