/** Epoch milliseconds, `from` included, `to` not. In a list they are in order and do not overlap. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export const totalMs = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { from, to }) => sum + (to - from), 0);

/** Adds a stretch at the end: the last one grows where it touches it. An empty one is none. */
export function lengthened(stretches: Stretch[], from: number, to: number): void {
  const last = stretches.at(-1);
  if (to <= from) return;
  if (last?.to === from) stretches[stretches.length - 1] = { from: last.from, to };
  else stretches.push({ from, to });
}

/** When `holds` is true of the lists that have the moment: it is asked with one answer for each list. */
export function stretchesWhere(
  lists: readonly (readonly Stretch[])[],
  holds: (inside: readonly boolean[]) => boolean,
): readonly Stretch[] {
  const edges = lists.flatMap((list, index) =>
    list.flatMap(({ from, to }) => [
      { at: from, index, enters: true },
      { at: to, index, enters: false },
    ]),
  );
  const inside = lists.map(() => 0);
  const found: Stretch[] = [];
  let [from, isIn] = [Number.NEGATIVE_INFINITY, holds(inside.map(() => false))];
  for (const { at, index, enters } of edges.sort((a, b) => a.at - b.at)) {
    if (isIn) lengthened(found, from, at);
    inside[index] = (inside[index] ?? 0) + (enters ? 1 : -1);
    [from, isIn] = [at, holds(inside.map((count) => count > 0))];
  }
  if (isIn) lengthened(found, from, Number.POSITIVE_INFINITY);
  return found;
}

/** The parts of the stretches inside these bounds. */
export const within = (stretches: readonly Stretch[], { from, to }: Stretch): readonly Stretch[] =>
  stretches.flatMap((one) => {
    const part = { from: Math.max(from, one.from), to: Math.min(to, one.to) };
    return part.to > part.from ? [part] : [];
  });

/** Whether what a log says of that time may have been at or after the instant: a time in whole seconds is cut off. */
export const isSince = (at: number, instant: number, resolutionSeconds = 0): boolean =>
  at >= instant || at + 1000 * resolutionSeconds > instant;

/** The sum, rounded to milliseconds: without the errors of binary fractions. */
export function sumSeconds(seconds: readonly number[]): number {
  return seconds.reduce((total, value) => total + Math.round(value * 1000), 0) / 1000;
}
