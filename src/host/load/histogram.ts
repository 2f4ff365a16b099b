import type { Histogram, LoadResult, Percentiles } from './load-plan.ts';

/** The ratio of two neighbouring steps: percentiles are at most 1 % too high. */
const growth = 1.01;
const shortestSeconds = 1e-6;
/** The rows of the report: 1, 2 and 5 of each power of ten from a millisecond to 100 s. */
const rows = [-3, -2, -1, 0, 1].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power)).concat(100);

export const upperSecondsOf = (step: number): number => shortestSeconds * growth ** step;
export const stepOf = (seconds: number): number =>
  seconds <= shortestSeconds ? 0 : Math.ceil(Math.log(seconds / shortestSeconds) / Math.log(growth));
/** How many steps a load needs whose requests take at most so long; what takes longer is in the last one. */
export const stepsWithin = (seconds: number): number => stepOf(Math.max(seconds, shortestSeconds)) + 2;

export function addHistograms(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const { steps } of histograms)
    for (const [step, count] of steps) counts.set(step, (counts.get(step) ?? 0) + count);
  return {
    steps: [...counts].toSorted(([a], [b]) => a - b),
    maxSeconds: Math.max(0, ...histograms.map(({ maxSeconds }) => maxSeconds)),
  };
}

/** The rows of the report, without empty ones. */
export function rowsOf({ steps, maxSeconds }: Histogram): LoadResult['latency'] {
  let next = 0;
  return rows.flatMap((upToSeconds, index) => {
    const isLast = index === rows.length - 1;
    let count = 0;
    for (; next < steps.length; next += 1) {
      const [step, more] = steps[next] as readonly [number, number];
      if (!isLast && Math.min(upperSecondsOf(step), maxSeconds) > upToSeconds) break;
      count += more;
    }
    return count === 0 ? [] : [{ upToSeconds, count }];
  });
}

/** By the nearest-rank method. */
export function percentilesOf({ steps, maxSeconds }: Histogram): Percentiles {
  const total = steps.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number): number => {
    let left = Math.ceil(total * share);
    const found = steps.find(([, count]) => {
      left -= count;
      return left <= 0;
    });
    return microseconds(found === undefined ? 0 : Math.min(maxSeconds, upperSecondsOf(found[0])));
  };
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: microseconds(maxSeconds) };
}

/** Seconds, rounded to microseconds. */
export const microseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
