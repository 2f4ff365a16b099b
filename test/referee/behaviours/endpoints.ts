/** How many ready endpoints the application had from a moment on. */
export interface EndpointsAt {
  readonly at: number;
  readonly ready: number;
}

export interface Shortage {
  readonly withoutSeconds: number;
  readonly tooFewSeconds: number;
  readonly leastEndpoints: number;
}

/**
 * The seconds between `from` and `to` without an endpoint, and with fewer than wanted. The changes are in order of
 * their time.
 */
export function shortageOf(
  changes: readonly EndpointsAt[],
  { from, to, wanted }: { readonly from: number; readonly to: number; readonly wanted: number },
): Shortage {
  let [withoutSeconds, tooFewSeconds, leastEndpoints] = [0, 0, Number.POSITIVE_INFINITY];
  changes.forEach(({ at, ready }, index) => {
    const until = Math.min(changes[index + 1]?.at ?? to, to);
    const seconds = until - Math.max(at, from);
    if (seconds <= 0) return;
    leastEndpoints = Math.min(leastEndpoints, ready);
    if (ready === 0) withoutSeconds += seconds;
    if (ready < wanted) tooFewSeconds += seconds;
  });
  return { withoutSeconds, tooFewSeconds, leastEndpoints: Number.isFinite(leastEndpoints) ? leastEndpoints : 0 };
}
