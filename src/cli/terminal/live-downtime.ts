import type { Bounded } from '../../figures/figures.js';
import { downtime, type Tick } from '../../validation/downtime/downtime-meter.ts';
import { goodSamplesApart } from '../../validation/downtime/episodes.ts';
import { sumOfSpans } from '../../validation/window-downtime.ts';

/** Adds up the downtime of samples that come when they end, and not in the order of their starts. */
export interface LiveDowntime {
  take(tick: Tick): void;
  /** The span of the downtime up to now. */
  now(): Bounded;
}

/**
 * What lies before good samples that are older than any request still under way is added up and forgotten, so that the
 * sum of a day costs no more than that of a minute. They are so many that no outage of a part of the requests reaches
 * over them.
 */
export function liveDowntime(intervalSeconds: number, timeoutSeconds: number): LiveDowntime {
  let kept: Tick[] = [];
  let newestAt = Number.NEGATIVE_INFINITY;
  let before = sumOfSpans([]);
  const of = (ticks: readonly Tick[]): Bounded => downtime(ticks, { intervalSeconds }).downtime.span;
  const settle = (): void => {
    const oldAt = newestAt - timeoutSeconds * 1000;
    const isQuiet = (index: number, length: number) =>
      kept.slice(Math.max(0, index + 1 - length), index + 1).every(({ kind }) => kind === undefined);
    const goodSamples = kept.length > mostKept ? 1 : goodSamplesApart;
    const end = kept.findLastIndex(({ at }, index) => at < oldAt && isQuiet(index, goodSamples));
    if (end < longestKept) return;
    before = sumOfSpans([before, of(kept.slice(0, end + 1))]);
    kept = kept.slice(end);
  };
  return {
    take(tick) {
      kept.splice(kept.findLastIndex(({ at }) => at <= tick.at) + 1, 0, tick);
      newestAt = Math.max(newestAt, tick.at);
      settle();
    },
    now: () => sumOfSpans([before, of(kept)]),
  };
}

/** So many samples cost nothing to add up once a second. */
const longestKept = 120;
/** An outage of a part of the requests that lasts longer may lose the good samples of one place. */
const mostKept = 3600;
