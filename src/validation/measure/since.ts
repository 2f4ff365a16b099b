import { instant } from '../../cluster/pods.ts';

/** Seconds from an instant (epoch milliseconds) to an API timestamp; never negative, because these are cut to whole seconds. */
export function secondsSince(at: number, timestamp: string | undefined): number | null {
  const then = instant(timestamp);
  return then === undefined ? null : Math.max(0, Math.round(then - at) / 1000);
}

/** Of those that are known. */
export function longest(seconds: readonly (number | null)[]): number | null {
  const known = seconds.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
