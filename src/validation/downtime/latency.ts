/** Seconds (docs/contract.md, "analyze --json"); null if there was no answer. */
export interface Latency {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

export interface LatencyCounter {
  readonly add: (millis: number, count?: number) => void;
  readonly end: () => Latency;
}

/** A count for each millisecond up to this one; a longer answer counts as this long, except in the maximum. */
const longestMs = 2 ** 17;

/** Percentiles by the nearest rank, in constant memory. */
export function latencyCounter(): LatencyCounter {
  const counts = new Uint32Array(longestMs + 1);
  let total = 0;
  let max = 0;
  const percentile = (share: number) => {
    let left = Math.ceil(total * share);
    let millis = -1;
    while (left > 0) left -= counts[++millis] as number;
    return millis / 1000;
  };
  return {
    add: (millis, count = 1) => {
      const slot = Math.min(millis, longestMs);
      counts[slot] = (counts[slot] as number) + count;
      total += count;
      if (millis > max) max = millis;
    },
    end: () =>
      total === 0
        ? { p50: null, p90: null, p99: null, max: null }
        : { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99), max: max / 1000 },
  };
}
