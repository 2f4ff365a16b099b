/** `analyze --json` (contract section 4), in seconds; null when nothing was answered. */
export interface Latency {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

export interface LatencyCounter {
  readonly add: (millis: number) => void;
  readonly end: () => Latency;
}

/** A log has milliseconds, so the counts are exact up to here; what is longer counts as this long, except for the maximum. */
const LONGEST_MS = 2 ** 17;

/** Pure. Percentiles by the nearest rank, in memory that does not grow. */
export function latencyCounter(): LatencyCounter {
  const counts = new Uint32Array(LONGEST_MS + 1);
  let total = 0;
  let max = 0;
  const percentile = (share: number) => {
    let left = Math.ceil(total * share);
    let millis = -1;
    while (left > 0) left -= counts[++millis] as number;
    return millis / 1000;
  };
  return {
    add: (millis) => {
      const slot = Math.min(millis, LONGEST_MS);
      counts[slot] = (counts[slot] as number) + 1;
      total += 1;
      if (millis > max) max = millis;
    },
    end: () =>
      total === 0
        ? { p50: null, p90: null, p99: null, max: null }
        : { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99), max: max / 1000 },
  };
}
