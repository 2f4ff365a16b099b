import { addHistograms } from './histogram.ts';
import type { LoadCounted, LoadResult, LoadTold } from './load-plan.ts';
import { counted } from './tally.ts';

type Counted = Pick<LoadCounted, 'startedAt' | 'seconds' | 'statuses' | 'errors' | 'histogram'>;

/**
 * The results of several workers as one, of `requests` that were asked for: counts are added, and histograms step by
 * step, so that percentiles are those of all requests. Undefined without a result.
 */
export function merge(requests: number, results: readonly Counted[]): LoadCounted | undefined {
  if (results.length === 0) return undefined;
  const startedAt = Math.min(...results.map((one) => one.startedAt));
  const endedAt = Math.max(...results.map((one) => one.startedAt + 1000 * one.seconds));
  return counted({
    requests,
    startedAt,
    seconds: (endedAt - startedAt) / 1000,
    statuses: sums(results.map(({ statuses }) => statuses)),
    errors: sums(results.map(({ errors }) => errors)),
    histogram: addHistograms(results.map(({ histogram }) => histogram)),
  });
}

function sums<K extends string>(all: readonly Readonly<Partial<Record<K, number>>>[]): Record<K, number> {
  const sum = {} as Record<K, number>;
  for (const counts of all)
    for (const [key, count] of Object.entries(counts) as [K, number][]) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}

/** Without what only the addition to others needs. */
export const withoutHistogram = ({ histogram: _, ...result }: LoadTold): LoadResult => result;
