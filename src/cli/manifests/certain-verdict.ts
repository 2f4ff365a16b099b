import type { Verdict } from '../../validation/judge/run-result.ts';
import { fails } from './turning-point.ts';

/** Of an application of which half of the rehearsals fail, one in 1024 is taken for good. Of 20 random applications eleven were such: a cut request is not always seen. */
export const rehearsalsOfCertainty = 10;

/** The verdict of that many rehearsals after the one that is asked for, 0 being that one: another second, or another seed. */
type VerdictOf = (later: number) => Promise<Verdict>;

export interface CertainVerdict {
  readonly verdict: Verdict;
  /** The rehearsal that is asked for does not fail, and one that differs little does. */
  readonly byChance?: true;
}

/** Where the assumed value fails: what does not fail once may have been lucky, so that it counts only if others that differ little do not fail either. */
export async function certainVerdict(assumed: Verdict, verdictOf: VerdictOf): Promise<CertainVerdict> {
  const verdict = await verdictOf(0);
  if (!fails(assumed) || fails(verdict)) return { verdict };
  for (let later = 1; later < rehearsalsOfCertainty; later += 1) {
    const other = await verdictOf(later);
    if (fails(other)) return { verdict: other, byChance: true };
  }
  return { verdict };
}
