import type { Verdict } from '../../validation/judge/run-result.ts';

/** The first whole second, from the assumed value on, with another verdict. */
export interface TurningPoint {
  readonly seconds: number;
  readonly verdict: Verdict;
  /** Somewhere beyond it the verdict is again as at the assumed value. */
  readonly again?: true;
}

export interface Searched {
  /** What is assumed, and its verdict. */
  readonly seconds: number;
  readonly verdict: Verdict;
  readonly mostSeconds: number;
  readonly verdictAt: (seconds: number) => Promise<Verdict>;
  /** Whether the verdict there was another one by chance: then it may turn nearer. */
  readonly isChance?: (seconds: number) => boolean;
}

type IsSame = (one: Verdict, other: Verdict) => boolean;
const isEqual: IsSame = (one, other) => one === other;
export const fails = (verdict: Verdict): boolean => verdict === 'fail' || verdict === 'error';
/** What could not be judged for once does not fail. */
const failsAlike: IsSame = (one, other) => fails(one) === fails(other);

/**
 * Where the search looks before it bisects, in steps: each twice the one before. Of 20 random applications four had a
 * turn that is undone before the bound.
 */
export const lookedAt: readonly number[] = [0, 2, 5, 10, 20, 40, 80, 160, 320, 640, 1280];

/**
 * Finds where the verdict turns to a failure or from one, and if it does neither, where it turns to any other: above
 * the assumed value, and if it does not turn there, below it. The search goes outward by the values of `lookedAt` to
 * the bound, and bisects where two neighbours differ; null if none do. A verdict that turns and turns back between two
 * neighbours is not found.
 */
export async function turningPoint(searched: Searched): Promise<TurningPoint | null> {
  const { seconds, mostSeconds } = searched;
  const verdictAt = remembered(searched.verdictAt);
  const values = [...lookedAt.filter((at) => at < mostSeconds), mostSeconds];
  const outward = [values.filter((at) => at > seconds), values.filter((at) => at < seconds).toReversed()];
  for (const isSame of [failsAlike, isEqual])
    for (const path of outward) {
      const found = await firstTurn({ ...searched, verdictAt }, path, isSame);
      if (found !== null) return found;
    }
  return null;
}

/** The verdict of each value is asked for once. */
export function remembered(verdictOf: Searched['verdictAt']): Searched['verdictAt'] {
  const known = new Map<number, Promise<Verdict>>();
  return (seconds) => {
    const verdict = known.get(seconds) ?? verdictOf(seconds);
    known.set(seconds, verdict);
    return verdict;
  };
}

async function firstTurn(searched: Searched, path: readonly number[], isSame: IsSame): Promise<TurningPoint | null> {
  const { seconds, verdict, verdictAt } = searched;
  let last = seconds;
  for (const [index, at] of path.entries()) {
    const other = await otherUpTo(searched, last, at, isSame);
    if (other !== undefined) {
      const found = await between(searched, last, other, isSame);
      for (const further of path.slice(index + 1))
        if (isSame(await verdictAt(further), verdict)) return { ...found, again: true };
      return found;
    }
    last = at;
  }
  return null;
}

/** The value itself if it has another verdict; if it had one by chance, one between that has. */
async function otherUpTo(searched: Searched, from: number, to: number, isSame: IsSame): Promise<number | undefined> {
  const { verdict, verdictAt, isChance = () => false } = searched;
  if (!isSame(await verdictAt(to), verdict)) return to;
  if (!isChance(to)) return undefined;
  for (let at = to; Math.abs(at - from) > 1; ) {
    at = Math.trunc((from + at) / 2);
    if (!isSame(await verdictAt(at), verdict)) return at;
  }
  return undefined;
}

/** `to` has another verdict. */
async function between(
  { verdict, verdictAt }: Searched,
  from: number,
  to: number,
  isSame: IsSame,
): Promise<TurningPoint> {
  let [same, other, found] = [from, to, await verdictAt(to)];
  while (Math.abs(other - same) > 1) {
    const middle = Math.trunc((same + other) / 2);
    const seen = await verdictAt(middle);
    if (isSame(seen, verdict)) same = middle;
    else [other, found] = [middle, seen];
  }
  return { seconds: other, verdict: found };
}
