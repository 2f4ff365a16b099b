import { downtime, type Tick } from '../../validation/downtime/downtime-meter.ts';

/** The downtime up to now. Seconds. */
export interface DowntimeSoFar {
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
}

/** Adds up the downtime of samples that come when they end, and not in the order of their starts. */
export interface LiveDowntime {
  take(tick: Tick): void;
  now(): DowntimeSoFar;
}

/**
 * What lies before a good sample that is older than any request still under way is added up and forgotten, so that the sum of a day costs no
 * more than that of a minute.
 */
export function liveDowntime(intervalSeconds: number, timeoutSeconds: number): LiveDowntime {
  let kept: readonly Tick[] = [];
  let newestAt = Number.NEGATIVE_INFINITY;
  let before: DowntimeSoFar = { seconds: 0, lowerSeconds: 0, upperSeconds: 0 };
  const of = (ticks: readonly Tick[]): DowntimeSoFar => downtime(ticks, { intervalSeconds }).downtime;
  const settle = (): void => {
    const oldAt = newestAt - timeoutSeconds * 1000;
    const good = kept.findLastIndex(({ at, kind }) => at < oldAt && kind === undefined);
    if (good < longestKept) return;
    before = sum(before, of(kept.slice(0, good + 1)));
    kept = kept.slice(good);
  };
  return {
    take(tick) {
      const place = kept.findLastIndex(({ at }) => at <= tick.at) + 1;
      kept = kept.toSpliced(place, 0, tick);
      newestAt = Math.max(newestAt, tick.at);
      settle();
    },
    now: () => sum(before, of(kept)),
  };
}

/** So many samples cost nothing to add up once a second. */
const longestKept = 120;

const sum = (one: DowntimeSoFar, other: DowntimeSoFar): DowntimeSoFar => ({
  seconds: one.seconds + other.seconds,
  lowerSeconds: one.lowerSeconds + other.lowerSeconds,
  upperSeconds: one.upperSeconds + other.upperSeconds,
});
