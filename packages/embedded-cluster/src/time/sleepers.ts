/**
 * The sleepers of each signal. A signal gets one listener however many sleep under it: adding the n-th listener to an
 * AbortSignal takes time in proportion to n.
 */
export interface Sleepers<T> {
  add(signal: AbortSignal, sleeper: T): void;
  remove(signal: AbortSignal, sleeper: T): void;
}
interface Group<T> {
  readonly sleepers: Set<T>;
  readonly cancelAll: () => void;
}

/** Signals that keep their listener after their last sleeper has left: most are slept under again at once. */
const emptyGroupsKept = 4;

/** Calls `cancel` for each sleeper, in the order of adding, when its signal is aborted. */
export function sleepers<T>(cancel: (sleeper: T, reason: unknown) => void): Sleepers<T> {
  const groups = new WeakMap<AbortSignal, Group<T>>();
  const recentlyEmptied = new Set<AbortSignal>();
  const open = (signal: AbortSignal) => {
    const group: Group<T> = {
      sleepers: new Set(),
      cancelAll: () => {
        groups.delete(signal);
        for (const sleeper of group.sleepers) cancel(sleeper, signal.reason);
      },
    };
    signal.addEventListener('abort', group.cancelAll, { once: true });
    groups.set(signal, group);
    return group;
  };
  const closeIfEmpty = (signal: AbortSignal) => {
    recentlyEmptied.delete(signal);
    const group = groups.get(signal);
    if (group === undefined || group.sleepers.size > 0) return;
    groups.delete(signal);
    signal.removeEventListener('abort', group.cancelAll);
  };
  return {
    add: (signal, sleeper) => {
      (groups.get(signal) ?? open(signal)).sleepers.add(sleeper);
    },
    remove: (signal, sleeper) => {
      const group = groups.get(signal);
      if (!group?.sleepers.delete(sleeper) || group.sleepers.size > 0 || recentlyEmptied.has(signal)) return;
      recentlyEmptied.add(signal);
      for (const oldest of recentlyEmptied) if (recentlyEmptied.size > emptyGroupsKept) closeIfEmpty(oldest);
    },
  };
}
