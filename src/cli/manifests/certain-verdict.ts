import type { Verdict } from '../../validation/judge/run-result.ts';
import { fails } from './turning-point.ts';

/** If half of the rehearsals of an application fail, it is judged good once in 1024 times. Of 20 random applications eleven were of this kind: a request that is cut is not always seen. */
export const rehearsalsOfCertainty = 10;

/** The verdict of that many rehearsals after the one that is asked for, 0 being that one: another second, or another seed. */
type VerdictOf = (later: number) => Promise<Verdict>;

export interface CertainVerdict {
  readonly verdict: Verdict;
  /** This rehearsal does not fail, but one that differs little does. */
  readonly byChance?: true;
}

/** For an assumed value that fails: a value that passes once may have passed by chance. It counts only if rehearsals that differ little pass too. */
export async function certainVerdict(assumed: Verdict, verdictOf: VerdictOf): Promise<CertainVerdict> {
  const verdict = await verdictOf(0);
  if (!fails(assumed) || fails(verdict)) return { verdict };
  for (let later = 1; later < rehearsalsOfCertainty; later += 1) {
    const other = await verdictOf(later);
    if (fails(other)) return { verdict: other, byChance: true };
  }
  return { verdict };
}
