import type { Bounded } from '../figures/figures.js';
import type { Span } from '../report/strip.ts';
import type { Episode } from '../validation/downtime/downtime.ts';
import { spanOfEpisode } from '../validation/window-downtime.ts';
import { thinned } from './thinned.ts';

/** The span of the run's downtime up to an instant (epoch milliseconds), as the report counts it. */
export interface DowntimeMoment extends Bounded {
  readonly at: number;
}

/** `downtime`: that of all of it. */
interface Counted {
  readonly episodes: readonly Episode[];
  readonly downtime: { readonly span: Bounded };
}

/**
 * One moment each second during an outage, and one at its end. During an outage its figures grow up to their final
 * values. Outages that began before `countedFrom` do not count. Very many moments are thinned; of each group the last
 * is kept.
 */
export function runningDowntime({ episodes, downtime }: Counted, countedFrom: number): readonly DowntimeMoment[] {
  const moments: DowntimeMoment[] = [{ at: countedFrom, seconds: 0, lowerSeconds: 0, upperSeconds: 0 }];
  for (const episode of episodes) {
    const time = { from: Date.parse(episode.from), to: Date.parse(episode.to) };
    if (time.from < countedFrom) continue;
    const before = moments.at(-1) as DowntimeMoment;
    for (const at of instants(time)) moments.push(plus(before, spanOfEpisode(episode), time, at));
  }
  // The figures only grow, so the last moment of a group includes the others.
  return thinned(
    moments.map((moment) => ({ ...moment, lowerSeconds: Math.min(moment.lowerSeconds, downtime.span.lowerSeconds) })),
    mostMoments,
    ({ at }) => at,
    () => true,
  );
}

/** More cannot be distinguished on a screen. */
const mostMoments = 2000;
/** Also for an outage that lasts a day. */
const mostMomentsOfOutage = 120;

function instants({ from, to }: Span): readonly number[] {
  const step = Math.max(1000, (to - from) / mostMomentsOfOutage);
  const count = Math.max(0, Math.ceil((to - from) / step) - 1);
  return [...Array.from({ length: count + 1 }, (_, index) => from + index * step), to];
}

function plus(before: DowntimeMoment, span: Bounded, { from, to }: Span, at: number): DowntimeMoment {
  const soFar = (at - from) / 1000;
  const isOver = at >= to;
  // The upper bound begins at the last good sample before the outage.
  const unseenBefore = Math.max(0, span.upperSeconds - span.seconds);
  return {
    at,
    seconds: rounded(before.seconds + (isOver ? span.seconds : soFar)),
    lowerSeconds: rounded(before.lowerSeconds + (isOver ? span.lowerSeconds : Math.min(soFar, span.lowerSeconds))),
    upperSeconds: rounded(
      before.upperSeconds + (isOver ? span.upperSeconds : Math.min(span.upperSeconds, soFar + unseenBefore)),
    ),
  };
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
