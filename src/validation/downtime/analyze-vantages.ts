import { UsageError } from '../../host/errors.ts';
import { spanOfEpisode, sumOfSpans } from '../window-downtime.ts';
import {
  type Analysis,
  type AnalyzedClockStep,
  type AnalyzedDowntime,
  clockStepsOf,
  judgedTime,
  settingsOf,
} from './analyze.ts';
import { availabilityOf, type Seen, unreadOfAll } from './certainty.ts';
import { latencyCounter } from './latency.ts';
import { type AnalyzeSettings, type MeasuredLog, measureLog } from './measure-log.ts';
import type { LogFiles } from './read-plain-log.ts';
import { sumSeconds, totalMs } from './stretches.ts';
import type { VantageRule } from './vantage-rule.ts';
import { type MergedDowntime, mergedDowntime, type SeenBy, unseen, unseenTicks, type Vantage } from './vantages.ts';

/** The log of one prober: its files in the order of their times. */
export interface VantageLog {
  readonly name: string;
  readonly log: string;
  readonly from: LogFiles;
  readonly paths: readonly string[];
}

/** docs/contract.md, "analyze --json", of several logs: what they say together by the rule, and each by itself. */
export type VantageAnalysis = Omit<Analysis, 'outages' | 'episodes'> & {
  readonly rule: VantageRule;
  readonly vantages: readonly AnalyzedVantage[];
  readonly outages: readonly (Analysis['outages'][number] & SeenBy)[];
  readonly episodes: readonly (Analysis['episodes'][number] & SeenBy)[];
};

export interface AnalyzedVantage {
  readonly name: string;
  readonly log: string;
  readonly samples: number;
  readonly unknown: number;
  readonly downtime: AnalyzedDowntime;
  readonly clockSteps?: readonly AnalyzedClockStep[];
}

interface Measured extends VantageLog {
  readonly measured: MeasuredLog;
}
/** Of one target. */
interface Merged {
  readonly target: string;
  readonly merged: MergedDowntime;
  readonly samples: number;
  readonly unknown: number;
  readonly seen: Seen;
}

/** Reads the logs of several probers one after the other, and merges them target by target. */
export async function analyzeVantages(
  logs: readonly VantageLog[],
  rule: VantageRule,
  settings: AnalyzeSettings = {},
): Promise<VantageAnalysis> {
  const latency = latencyCounter();
  const all: Measured[] = [];
  for (const one of logs) all.push({ ...one, measured: await measureLog(one.from, one.paths, settings, latency) });
  const intervalSeconds = Math.max(...all.map(({ measured }) => measured.part.intervalSeconds));
  const targets = namedTargets(all).map(({ target, also }) =>
    mergedTarget({ target, also }, all, { rule, intervalMs: 1000 * intervalSeconds }),
  );
  const [first] = all;
  if (first === undefined) throw new UsageError(['name at least one log']);
  const times = (of: (one: MeasuredLog) => number) => all.map(({ measured }) => of(measured));
  const several = targets.length > 1;
  const ofAll = <T extends { readonly from: string }>(of: (one: MergedDowntime) => readonly T[]) =>
    targets
      .flatMap(({ target, merged }) => of(merged).map((one) => ({ ...one, ...(several ? { target } : {}) })))
      .sort((a, b) => a.from.localeCompare(b.from));
  return {
    schemaVersion: 1,
    log: {
      ...settingsOf({ ...first.measured.part, intervalSeconds }),
      ...judgedTime(settings, Math.min(...times((one) => one.first)), Math.max(...times((one) => one.last))),
      samples: sumSeconds(targets.map(({ samples }) => samples)),
      unknown: sumSeconds(targets.map(({ unknown }) => unknown)),
    },
    rule,
    vantages: all.map(analyzedVantage),
    downtime: sums(targets.map(({ merged }) => merged)),
    ...(several
      ? { targets: targets.map(({ merged, seen: _, ...rest }) => ({ ...rest, downtime: sums([merged]) })) }
      : {}),
    outages: ofAll(({ outages }) => outages).map((outage) => ({ ...outage, scenario: null })),
    episodes: ofAll(({ episodes }) => episodes),
    latency: latency.end(),
    availability: availabilityOf(targets.map(({ seen }) => seen)),
    unread: unreadOfAll(all.map(({ measured }) => measured.understood)),
    columns: first.measured.understood.columns,
  };
}

interface NamedTarget {
  readonly target: string;
  /** Another name of it in the logs. */
  readonly also: string;
}

/** A curl loop's log names no target: beside others it is of the only one that they name. */
function namedTargets(all: readonly Measured[]): readonly NamedTarget[] {
  const names = [...new Set(all.flatMap(({ measured }) => measured.targets.map(({ target }) => target)))];
  const others = names.filter((name) => name !== '');
  const [only] = others;
  if (only !== undefined && others.length === 1) return [{ target: only, also: '' }];
  return names.map((target) => ({ target, also: target }));
}

function mergedTarget(
  { target, also }: NamedTarget,
  all: readonly Measured[],
  { rule, intervalMs }: { readonly rule: VantageRule; readonly intervalMs: number },
): Merged {
  const own = all.flatMap(({ name, measured }) =>
    measured.targets
      .filter((one) => one.target === target || one.target === also)
      .map(({ sight, downtime }) => ({ name, sight, downtime })),
  );
  const merged = mergedDowntime(own, rule, intervalMs);
  return {
    target,
    merged,
    samples: sumSeconds(own.map(({ downtime }) => downtime.samples)),
    unknown: unseenTicks(merged.blind, own, intervalMs),
    seen: {
      seenSeconds: seenMs(own) / 1000,
      lowerSeconds: merged.lowerSeconds,
      upperSeconds: merged.upperSeconds,
      unknownSeconds: totalMs(unseen(merged.blind, own)) / 1000,
    },
  };
}

/** From the first sample of any of them to the last. */
function seenMs(own: readonly Vantage[]): number {
  const seen = own.map(({ sight }) => sight.seen);
  return Math.max(...seen.map(({ to }) => to)) - Math.min(...seen.map(({ from }) => from));
}

function sums(merged: readonly MergedDowntime[]): AnalyzedDowntime {
  const total = (of: (one: MergedDowntime) => number) => sumSeconds(merged.map(of));
  return {
    seconds: total(({ seconds }) => seconds),
    lowerSeconds: total(({ lowerSeconds }) => lowerSeconds),
    upperSeconds: total(({ upperSeconds }) => upperSeconds),
    slowSeconds: total(({ slowSeconds }) => slowSeconds),
    span: sumOfSpans(merged.flatMap(({ episodes }) => episodes.map(spanOfEpisode))),
  };
}

function analyzedVantage({ name, log, measured: { targets, clockSteps } }: Measured): AnalyzedVantage {
  const total = (of: (one: MeasuredLog['targets'][number]) => number) => sumSeconds(targets.map(of));
  return {
    name,
    log,
    samples: total(({ downtime }) => downtime.samples),
    unknown: total(({ downtime }) => downtime.unknown),
    downtime: {
      seconds: total(({ downtime }) => downtime.seconds),
      lowerSeconds: total(({ downtime }) => downtime.lowerSeconds),
      upperSeconds: total(({ downtime }) => downtime.upperSeconds),
      slowSeconds: total(({ downtime }) => downtime.slowSeconds),
      span: sumOfSpans(targets.map(({ downtime }) => downtime.span)),
      ...(targets.length === 1 && targets[0]?.downtime.share ? { share: targets[0].downtime.share } : {}),
    },
    ...clockStepsOf(clockSteps),
  };
}
