import type { OutageKind } from '../downtime/outage-kind.ts';

/** An outage of a target has begun or ended. Instants are epoch milliseconds. */
export type Turn =
  | { readonly type: 'down'; readonly target: string; readonly from: number; readonly kind: OutageKind }
  | {
      readonly type: 'up';
      readonly target: string;
      readonly from: number;
      readonly to: number;
      readonly kinds: readonly OutageKind[];
    };

interface Watched {
  /** While no turn is known: the bad samples in a row, or the good ones while it is down. */
  row: number;
  firstAt: number;
  /** Of the outage that is under way. */
  downFrom: number | undefined;
  readonly kinds: Set<OutageKind>;
}

/**
 * Says when a target is down and when it is up again: after so many samples in a row that say it. It is down from the
 * first of them, and up from the first of those. Give it the samples of the probe on new connections.
 */
export function outageWatch(
  inARow: number,
): (target: string, at: number, kind: OutageKind | undefined) => Turn | undefined {
  const targets = new Map<string, Watched>();
  const begin = (target: string): Watched => {
    const one: Watched = { row: 0, firstAt: 0, downFrom: undefined, kinds: new Set() };
    targets.set(target, one);
    return one;
  };
  return (target, at, kind) => {
    const one = targets.get(target) ?? begin(target);
    if (kind !== undefined) one.kinds.add(kind);
    return count(one, at, kind) < inARow ? undefined : turned(target, one, kind);
  };
}

/** How many samples in a row up to this one say that the target has turned. */
function count(one: Watched, at: number, kind: OutageKind | undefined): number {
  const isUp = one.downFrom === undefined;
  const isTurning = (kind === undefined) !== isUp;
  if (!isTurning && isUp) one.kinds.clear();
  if (one.row === 0) one.firstAt = at;
  one.row = isTurning ? one.row + 1 : 0;
  return one.row;
}

function turned(target: string, one: Watched, kind: OutageKind | undefined): Turn {
  const { firstAt, downFrom = firstAt } = one;
  one.row = 0;
  if (kind !== undefined) {
    one.downFrom = firstAt;
    return { type: 'down', target, from: firstAt, kind };
  }
  const kinds = [...one.kinds];
  one.kinds.clear();
  one.downFrom = undefined;
  return { type: 'up', target, from: downFrom, to: firstAt, kinds };
}
