/**
 * When each pod whose eviction was refused is asked for again: after 100 ms, doubled up to 10 s
 * (terminator/eviction.go).
 */
export interface EvictionBackOff {
  isDue(uid: string, at: number): boolean;
  record(uid: string, isRefused: boolean, at: number): void;
  /** Seconds until the next pod is due; infinite without one. */
  nextSeconds(at: number): number;
}

const firstMs = 100;
const longestMs = 10_000;

/** All times are epoch milliseconds. */
export function evictionBackOff(): EvictionBackOff {
  const refused = new Map<string, { readonly pauseMs: number; readonly dueAt: number }>();
  return {
    isDue: (uid, at) => (refused.get(uid)?.dueAt ?? at) <= at,
    record: (uid, isRefused, at) => {
      const pauseMs = Math.min(2 * (refused.get(uid)?.pauseMs ?? firstMs / 2), longestMs);
      if (isRefused) refused.set(uid, { pauseMs, dueAt: at + pauseMs });
      else refused.delete(uid);
    },
    nextSeconds: (at) => {
      const due = [...refused.values()].map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > at);
      return (Math.min(...due) - at) / 1000;
    },
  };
}
