/**
 * At most `most` of the items, which must be in the order of their instants (epoch milliseconds). If there are more,
 * the time is divided into `most` equal parts, and each part keeps the item that `wins` against its others.
 */
export function thinned<T>(
  all: readonly T[],
  most: number,
  atOf: (one: T) => number,
  wins: (one: T, other: T) => boolean,
): readonly T[] {
  const [first, last] = [all[0], all.at(-1)];
  if (all.length <= most || first === undefined || last === undefined) return all;
  const from = atOf(first);
  const partMilliseconds = (atOf(last) - from + 1) / most;
  const kept = new Map<number, T>();
  for (const one of all) {
    const part = Math.floor((atOf(one) - from) / partMilliseconds);
    const other = kept.get(part);
    if (other === undefined || wins(one, other)) kept.set(part, one);
  }
  return [...kept.values()];
}
