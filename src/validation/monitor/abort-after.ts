import type { Sample, Target } from '../../host/host.ts';
import type { HearSample } from './monitor.ts';

/** Watches for more downtime at a stretch than is allowed, on the new connections of the first target. */
export interface DowntimeLimit {
  readonly heard: HearSample;
  /** From now on so much downtime is expected, and counts only beyond that. */
  readonly expect: (seconds: number) => void;
}

/** Calls back once, with the reason. Without a limit nothing is ever too long. */
export function downtimeLimit(limitSeconds: number | undefined, exceeded: (because: string) => void): DowntimeLimit {
  let expectedSeconds = 0;
  let isOver = false;
  const badSeconds = badStretch();
  return {
    expect: (seconds) => {
      expectedSeconds = seconds;
    },
    heard: (sample, target, kind) => {
      const seconds = badSeconds(sample, target, kind !== undefined);
      if (isOver || limitSeconds === undefined || seconds <= expectedSeconds + limitSeconds) return;
      isOver = true;
      exceeded(`${seconds.toFixed(0)} s of downtime, of which ${expectedSeconds.toFixed(0)} s were expected`);
    },
  };
}

/** More than any request is given: what began so long before the one that is heard has ended. */
const longestRequestSeconds = 600;

/** How long it was bad around this sample: from the start of the first bad one to that of the next good one, or else to the end of this one. */
function badStretch(): (sample: Sample, target: Target, bad: boolean) => number {
  // By their starts: they are heard as they end, a request that hangs after many that began later.
  const starts: { readonly at: number; readonly bad: boolean }[] = [];
  let first: string | undefined;
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
