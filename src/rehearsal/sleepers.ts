/** Those who sleep under a signal. One listener a signal: adding the n-th listener costs time in proportion to n. */
export interface Sleepers {
  /** Calls `wake` with the signal's reason when it is aborted, unless the returned function was called before. */
  add(signal: AbortSignal, wake: (reason: unknown) => void): () => void;
}
type Wake = (reason: unknown) => void;
interface Crowd {
  readonly wakes: Set<Wake>;
  readonly wakeAll: () => void;
}

export function sleepers(): Sleepers {
  const crowds = new WeakMap<AbortSignal, Crowd>();
  return {
    add: (signal, wake) => {
      const crowd = crowds.get(signal) ?? gather(crowds, signal);
      crowd.wakes.add(wake);
      return () => {
        crowd.wakes.delete(wake);
        if (crowd.wakes.size > 0) return;
        crowds.delete(signal);
        signal.removeEventListener('abort', crowd.wakeAll);
      };
    },
  };
}

function gather(crowds: WeakMap<AbortSignal, Crowd>, signal: AbortSignal): Crowd {
  const wakes = new Set<Wake>();
  const wakeAll = () => {
    crowds.delete(signal);
    for (const wake of wakes) wake(signal.reason);
  };
  signal.addEventListener('abort', wakeAll, { once: true });
  const crowd = { wakes, wakeAll };
  crowds.set(signal, crowd);
  return crowd;
}
