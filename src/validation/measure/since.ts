import { instant } from '../../cluster/pods.ts';

/** Seconds from an instant (epoch milliseconds) to an API timestamp; at least 0, because these are cut to whole seconds. */
export function secondsSince(at: number, timestamp: string | undefined): number | null {
  const then = instant(timestamp);
  return then === undefined ? null : Math.max(0, Math.round(then - at) / 1000);
}

/** The longest of those that are known; null if none is. */
export function longest(seconds: readonly (number | null)[]): number | null {
  const known = seconds.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
