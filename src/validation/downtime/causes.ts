/** So many samples at one time make a plateau; fewer may be chance, because a busy server is slow by any time. */
const leastOnPlateau = 3;
const chancePlateaus: ReadonlySet<string> = new Set(['upstream-connect-timeout', 'lost-syn-behind']);

/**
 * Counts what the bad samples of an outage say of their cause: the reasons in their lines, and the plateaus on which
 * they lie.
 */
export type CauseCounts = ReadonlyMap<string, number>;

export const countCause = (counts: Map<string, number> = new Map(), cause: string, more = 1): Map<string, number> =>
  counts.set(cause, (counts.get(cause) ?? 0) + more);

/** Of several outages together. */
export function addedCauses(all: readonly (CauseCounts | undefined)[]): CauseCounts | undefined {
  let sum: Map<string, number> | undefined;
  for (const counts of all) for (const [cause, count] of counts ?? []) sum = countCause(sum, cause, count);
  return sum;
}

/**
 * The causes in the order in which they came. A plateau that a slow server may hit by chance needs several samples, and
 * half of the bad ones.
 */
export function causesOf(counts: CauseCounts, badSamples: number): readonly string[] {
  return [...counts]
    .filter(([cause, count]) => !chancePlateaus.has(cause) || (count >= leastOnPlateau && 2 * count >= badSamples))
    .map(([cause]) => cause);
}
