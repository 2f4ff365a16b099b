import type { Span } from '../report/strip.ts';
import type { Downtime, Episode, Outage } from '../validation/downtime/downtime.ts';
import { thinned } from './thinned.ts';

/** The downtime of the run up to an instant (epoch milliseconds), as the report counts it. */
export interface DowntimeMoment {
  readonly at: number;
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
}

/** `downtime`: that of all of it, whose lower bound may be under the sum of the outages' where only a part of the requests failed. */
type Counted = Pick<Downtime, 'outages' | 'episodes'> & { readonly downtime: { readonly lowerSeconds: number } };

/**
 * One moment each second during an outage, and one at its end. During an outage its figures grow up to their final values. Outages that began before
 * `countedFrom` do not count. Very many moments are thinned; of each group the last is kept.
 */
export function runningDowntime(
  { outages, episodes, downtime }: Counted,
  countedFrom: number,
): readonly DowntimeMoment[] {
  const moments: DowntimeMoment[] = [{ at: countedFrom, seconds: 0, lowerSeconds: 0, upperSeconds: 0 }];
  for (const outage of outages) {
    const span = { from: Date.parse(outage.from), to: Date.parse(outage.to) };
    if (span.from < countedFrom) continue;
    const before = moments.at(-1) as DowntimeMoment;
    for (const at of instants(span)) moments.push(plus(before, outage, span, at));
  }
  // The figures only grow, so the last moment of a group includes the others.
  return thinned(
    moments.map((moment) => ({
      ...moment,
      lowerSeconds: Math.min(moment.lowerSeconds, downtime.lowerSeconds),
      upperSeconds: upperOf(moment, episodes, countedFrom),
    })),
    mostMoments,
    ({ at }) => at,
    () => true,
  );
}

/** Until the end of an outage of a part of the requests somebody may be down. */
function upperOf({ at, upperSeconds }: DowntimeMoment, episodes: readonly Episode[], countedFrom: number): number {
  const spans = episodes
    .filter(({ from }) => Date.parse(from) >= countedFrom && Date.parse(from) <= at)
    .map((one) => {
      const unseenBefore = Math.max(0, one.upperSeconds - one.spanSeconds);
      return at >= Date.parse(one.to)
        ? one.upperSeconds
        : Math.min(one.upperSeconds, (at - Date.parse(one.from)) / 1000 + unseenBefore);
    });
  return Math.max(upperSeconds, rounded(spans.reduce((sum, seconds) => sum + seconds, 0)));
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

function plus(before: DowntimeMoment, outage: Outage, { from, to }: Span, at: number): DowntimeMoment {
  const soFar = (at - from) / 1000;
  const isOver = at >= to;
  // The upper bound begins at the last good sample before the outage.
  const unseenBefore = Math.max(0, outage.upperSeconds - outage.seconds);
  return {
    at,
    seconds: rounded(before.seconds + (isOver ? outage.seconds : soFar)),
    lowerSeconds: rounded(before.lowerSeconds + (isOver ? outage.lowerSeconds : Math.min(soFar, outage.lowerSeconds))),
    upperSeconds: rounded(
      before.upperSeconds + (isOver ? outage.upperSeconds : Math.min(outage.upperSeconds, soFar + unseenBefore)),
    ),
  };
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
