import { wholeSecondsText } from '../../figures/figures.js';
import type { Sample, Target } from '../../host/host.ts';
import type { OnProbe } from './monitor-settings.ts';

/** Watches for a stretch of downtime that is longer than allowed, on new connections to one target. */
export interface DowntimeLimit {
  readonly onProbe: OnProbe;
  /** Sets the downtime that is expected from now on; only what exceeds it counts. */
  readonly expect: (seconds: number) => void;
}

/**
 * Calls `exceeded` once, with the reason. An undefined limit is never exceeded. Without an address it watches the first
 * target that it hears of.
 */
export function downtimeLimit(
  limitSeconds: number | undefined,
  exceeded: (because: string) => void,
  watched?: string,
): DowntimeLimit {
  let expectedSeconds = 0;
  let isOver = false;
  const badSeconds = badStretch(watched);
  return {
    expect: (seconds) => {
      expectedSeconds = seconds;
    },
    onProbe: (sample, target, kind) => {
      const seconds = badSeconds(sample, target, kind !== undefined);
      if (isOver || limitSeconds === undefined || seconds <= expectedSeconds + limitSeconds) return;
      isOver = true;
      exceeded(`${wholeSecondsText(seconds)} of downtime, of which ${wholeSecondsText(expectedSeconds)} were expected`);
    },
  };
}

/** Longer than any timeout: a request that began so long before the newest one has ended. */
const longestRequestSeconds = 600;

/**
 * The length of the bad stretch around a sample: from the start of its first bad sample to that of the next good one,
 * or to the end of this sample.
 */
function badStretch(watched: string | undefined): (sample: Sample, target: Target, bad: boolean) => number {
  // Sorted by start, because samples come when they end: a request that hangs comes after many that began later.
  const starts: { readonly at: number; readonly bad: boolean }[] = [];
  let first = watched;
  return ({ at, seconds, connection }, { url }, bad) => {
    first ??= url;
    if (connection === 'reused' || url !== first) return 0;
    const place = starts.findLastIndex((start) => start.at <= at) + 1;
    starts.splice(place, 0, { at, bad });
    const young = starts.findIndex((start) => start.at >= at - longestRequestSeconds * 1000);
    const old = Math.max(
      0,
      starts.slice(0, young).findLastIndex((start) => !start.bad),
    );
    starts.splice(0, old);
    if (!bad) return 0;
    const here = place - old;
    const goodBefore = starts.slice(0, here).findLastIndex((start) => !start.bad);
    const goodAfter = starts.slice(here + 1).find((start) => !start.bad);
    const since = starts[goodBefore + 1]?.at ?? at;
    return ((goodAfter?.at ?? at + seconds * 1000) - since) / 1000;
  };
}
