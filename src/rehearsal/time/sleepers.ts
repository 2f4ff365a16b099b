/** Those who sleep under a signal. One listener a signal: adding the n-th listener costs time in proportion to n. */
export interface Sleepers<T> {
  add(signal: AbortSignal, sleeper: T): void;
  remove(signal: AbortSignal, sleeper: T): void;
}
interface Crowd<T> {
  readonly sleepers: Set<T>;
  readonly wakeAll: () => void;
}

/** Signals that are slept under again and again, one sleep at a time, need not be listened to anew each time. */
const listenedTo = 4;

/** Calls `wake` for each sleeper, in the order of adding, when its signal is aborted. */
export function sleepers<T>(wake: (sleeper: T, reason: unknown) => void): Sleepers<T> {
  const crowds = new WeakMap<AbortSignal, Crowd<T>>();
  const lately = new Set<AbortSignal>();
  const gather = (signal: AbortSignal) => {
    const crowd: Crowd<T> = {
      sleepers: new Set(),
      wakeAll: () => {
        crowds.delete(signal);
        for (const sleeper of crowd.sleepers) wake(sleeper, signal.reason);
      },
    };
    signal.addEventListener('abort', crowd.wakeAll, { once: true });
    crowds.set(signal, crowd);
    return crowd;
  };
  const desert = (signal: AbortSignal) => {
    lately.delete(signal);
    const crowd = crowds.get(signal);
    if (crowd === undefined || crowd.sleepers.size > 0) return;
    crowds.delete(signal);
    signal.removeEventListener('abort', crowd.wakeAll);
  };
  return {
    add: (signal, sleeper) => {
      (crowds.get(signal) ?? gather(signal)).sleepers.add(sleeper);
    },
    remove: (signal, sleeper) => {
      const crowd = crowds.get(signal);
      if (!crowd?.sleepers.delete(sleeper) || crowd.sleepers.size > 0 || lately.has(signal)) return;
      lately.add(signal);
      for (const oldest of lately) if (lately.size > listenedTo) desert(oldest);
    },
  };
}
