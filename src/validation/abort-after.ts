import type { Sample, Target } from '../host/host.ts';
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

/** How long it has been bad, from the start of the first bad sample to the end of this one. */
function badStretch(): (sample: Sample, target: Target, bad: boolean) => number {
  let since: number | undefined;
  let first: string | undefined;
  return ({ at, seconds, connection }, { url }, bad) => {
    first ??= url;
    if (connection === 'reused' || url !== first) return 0;
    since = bad ? Math.min(since ?? at, at) : undefined;
    return since === undefined ? 0 : (at - since) / 1000 + seconds;
  };
}
