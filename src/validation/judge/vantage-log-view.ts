import type { Downtime, MeasuredOutage } from '../downtime/downtime.ts';
import { type DowntimeLog, downtimeWithin, reusedWithin, type Window } from '../downtime/read-downtime-log.ts';
import { shareOf } from '../downtime/share.ts';
import { sumSeconds, totalMs, within } from '../downtime/stretches.ts';
import {
  downOf,
  type MergedDowntime,
  mergedDowntime,
  type SeenEpisode,
  type SeenOutage,
  unseen,
  unseenTicks,
  type Vantage,
} from '../downtime/vantages.ts';
import type { RunVantages } from '../record/events.ts';
import { type EdgeSamples, type PartialDowntime, type WindowDowntime, withSpan } from '../window-downtime.ts';
import type { LogView } from './log-view.ts';
import type { ReadVantage } from './run-result.ts';

/** The log of one vantage point of a run. */
export interface VantageLog {
  readonly name: string;
  /** In the run folder. */
  readonly file: string;
  readonly log: DowntimeLog;
}

/** What a run is judged by where several probers watched: their logs, merged by its rule. */
export function vantageLogView(logs: readonly VantageLog[], rule: RunVantages['rule']): Omit<LogView, 'probe'> {
  const intervalMs = 1000 * Math.max(...logs.map(({ log }) => log.settings?.intervalSeconds ?? 1));
  const measured = (window?: Window) => {
    const each = logs.map(({ name, file, log }) => ({ name, file, ...downtimeWithin(log, window) }));
    return { each, merged: mergedDowntime(each, rule, intervalMs) };
  };
  const { each, merged } = measured();
  return {
    outages: merged.outages,
    episodes: merged.episodes,
    rule,
    resolutionSeconds: Math.max(...logs.map(({ log }) => log.settings?.resolutionSeconds ?? 0)),
    vantages: each.map(vantageOf),
    dismissed: dismissed(each, merged, intervalMs),
    downtimeIn: (from, to) => {
      const inWindow = measured({ from, to });
      return windowDowntime(inWindow.merged, inWindow.each, intervalMs, partialOf(inWindow.merged, logs));
    },
    reusedIn: (from, to) => {
      const known = logs.flatMap(({ log }) => reusedWithin(log, { from, to }) ?? []);
      if (known.length === 0) return undefined;
      return { samples: sumSeconds(known.map((one) => one.samples)), bad: sumSeconds(known.map((one) => one.bad)) };
    },
  };
}

type Each = Downtime & { readonly name: string; readonly file: string };

function vantageOf({ name, file, downtime: { samples, unknown } }: Each): ReadVantage {
  return { name, log: file, samples, unknown };
}

function windowDowntime(
  { seconds, lowerSeconds, upperSeconds, slowSeconds, blind, outages }: MergedDowntime,
  each: readonly (Vantage & Each)[],
  intervalMs: number,
  partial: PartialDowntime | undefined,
): WindowDowntime {
  const total = (of: (one: WindowDowntime) => number) => each.reduce((sum, { downtime }) => sum + of(downtime), 0);
  // Bad samples of an outage that is none by the rule are no downtime.
  const counted = each.flatMap(({ sight }) =>
    sight.outages.filter((one) => outages.some((other) => isBoth(one, other))),
  );
  const edges: EdgeSamples = {
    samples: total((one) => one.edges?.samples ?? 0),
    bad: sumSeconds(counted.map(({ badEdges }) => badEdges)),
  };
  return withSpan({
    seconds,
    lowerSeconds,
    upperSeconds,
    slowSeconds,
    samples: total((one) => one.samples),
    bad: sumSeconds(counted.map(({ outage }) => outage.samples)),
    unknown: unseenTicks(blind, each, intervalMs),
    unknownSeconds: totalMs(unseen(blind, each)) / 1000,
    ...(edges.samples === 0 ? {} : { edges }),
    ...(partial === undefined ? {} : { partial }),
  });
}

const isBoth = (one: MeasuredOutage, { from, to }: Pick<SeenOutage, 'from' | 'to'>): boolean =>
  within([downOf(one)], { from: Date.parse(from), to: Date.parse(to) }).length > 0;

/** Outages that some vantage points saw and that do not count by the rule. */
function dismissed(each: readonly Vantage[], { outages }: MergedDowntime, intervalMs: number): readonly SeenEpisode[] {
  const counts = (one: SeenEpisode) => outages.some(({ from, to }) => one.from < to && one.to > from);
  return mergedDowntime(each, 'any', intervalMs).episodes.filter((one) => !counts(one));
}

/** The share is of all samples of all vantage points during the outage. */
function partialOf({ episodes }: MergedDowntime, logs: readonly VantageLog[]): PartialDowntime | undefined {
  if (episodes.every(({ outages }) => outages === 1)) return undefined;
  const spans = episodes.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));
  const samples = logs
    .flatMap(({ log }) => log.ticks)
    .filter(({ at, unknownTicks = 0 }) => unknownTicks === 0 && spans.some(({ from, to }) => at >= from && at < to));
  const { share, lower, upper } = shareOf(samples.filter(({ kind }) => kind !== undefined).length, samples.length);
  return {
    spanSeconds: sumSeconds(episodes.map(({ spanSeconds }) => spanSeconds)),
    lowerSeconds: sumSeconds(episodes.map(({ lowerSeconds }) => lowerSeconds)),
    upperSeconds: sumSeconds(episodes.map(({ upperSeconds }) => upperSeconds)),
    share,
    shareLower: lower,
    shareUpper: upper,
  };
}
