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

type IsSame = (one: Verdict, other: Verdict) => boolean;
const isEqual: IsSame = (one, other) => one === other;
const fails = (verdict: Verdict): boolean => verdict === 'fail' || verdict === 'error';
/** What could not be judged for once does not fail. */
const failsAlike: IsSame = (one, other) => fails(one) === fails(other);

/**
 * Finds by bisection where the verdict turns to a failure or from one, and if it does neither, where it turns to any other: above the
 * assumed value, and if it does not turn there, below it. A verdict that turns more than once between the assumed value and a bound is
 * found at one of its turns.
 */
export async function turningPoint(searched: Searched): Promise<TurningPoint | null> {
  const { seconds, mostSeconds } = searched;
  const known = new Map<number, Promise<Verdict>>();
  const verdictAt = (at: number): Promise<Verdict> => {
    const verdict = known.get(at) ?? searched.verdictAt(at);
    known.set(at, verdict);
    return verdict;
  };
  for (const isSame of [failsAlike, isEqual])
    for (const bound of [mostSeconds, 0]) {
      const found = await between({ ...searched, verdictAt }, seconds, bound, isSame);
      if (found !== null) return found;
    }
  return null;
}

async function between(
  { verdict, verdictAt }: Searched,
  from: number,
  to: number,
  isSame: IsSame,
): Promise<TurningPoint | null> {
  if (from === to) return null;
  let [same, other, found] = [from, to, await verdictAt(to)];
  if (isSame(found, verdict)) return null;
  while (Math.abs(other - same) > 1) {
    const middle = Math.trunc((same + other) / 2);
    const seen = await verdictAt(middle);
    if (isSame(seen, verdict)) same = middle;
    else [other, found] = [middle, seen];
  }
  return { seconds: other, verdict: found };
}
