import type { Verdict } from '../../validation/judge/run-result.ts';

/** The first whole second, from the assumed value on, with another verdict; null if the verdict is the same within the bounds. */
export interface TurningPoint {
  readonly seconds: number;
  readonly verdict: Verdict;
}

export interface Searched {
  /** What is assumed, and its verdict. */
  readonly seconds: number;
  readonly verdict: Verdict;
  readonly mostSeconds: number;
  readonly verdictAt: (seconds: number) => Promise<Verdict>;
}

/**
 * Finds by bisection where the verdict turns: above the assumed value, and if it does not turn there, below it. A verdict that turns more
 * than once between the assumed value and a bound is found at one of its turns.
 */
export async function turningPoint(searched: Searched): Promise<TurningPoint | null> {
  const { seconds, mostSeconds } = searched;
  return (await between(searched, seconds, mostSeconds)) ?? (await between(searched, seconds, 0));
}

async function between({ verdict, verdictAt }: Searched, from: number, to: number): Promise<TurningPoint | null> {
  if (from === to) return null;
  let [same, other, found] = [from, to, await verdictAt(to)];
  if (found === verdict) return null;
  while (Math.abs(other - same) > 1) {
    const middle = Math.trunc((same + other) / 2);
    const seen = await verdictAt(middle);
    if (seen === verdict) same = middle;
    else [other, found] = [middle, seen];
  }
  return { seconds: other, verdict: found };
}
