import type { Outage } from '../validation/downtime.ts';

/** The downtime of the run up to a moment (epoch milliseconds), as the report counts it. */
export interface DowntimeMoment {
  readonly at: number;
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
}

/**
 * Pure. One moment a second while an outage goes on, and one at its end, from which on its own figures count. What an outage has come to while
 * it goes on is the part of its figures that lies before: never more than it comes to in the end. Those that began before `countedFrom` are left out.
 */
export function runningDowntime(outages: readonly Outage[], countedFrom: number): readonly DowntimeMoment[] {
  const moments: DowntimeMoment[] = [{ at: countedFrom, seconds: 0, lowerSeconds: 0, upperSeconds: 0 }];
  const counted = outages.filter(({ from }) => Date.parse(from) >= countedFrom);
  for (const outage of counted.slice(0, mostOutages)) {
    const before = moments.at(-1) as DowntimeMoment;
    for (const at of instants(outage)) moments.push(plus(before, outage, at));
  }
  return moments;
}

/** More cannot be told apart on any screen. */
const mostOutages = 5000;
/** An outage of a whole day has so many moments, too. */
const mostMoments = 120;

function instants({ from, to }: Outage): readonly number[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const step = Math.max(1000, (end - start) / mostMoments);
  const count = Math.max(0, Math.ceil((end - start) / step) - 1);
  return [...Array.from({ length: count + 1 }, (_, index) => start + index * step), end];
}

function plus(before: DowntimeMoment, outage: Outage, at: number): DowntimeMoment {
  const [from, to] = [Date.parse(outage.from), Date.parse(outage.to)];
  const soFar = (at - from) / 1000;
  const isOver = at >= to;
  // Its upper bound reaches back to the last good sample before it.
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
