import type { Files } from '../../host/host.ts';
import type { LogPart } from '../downtime-log/downtime-log.ts';
import type { ClockStep } from '../downtime-log/log-listener.ts';
import type { Column } from '../loop-log/columns.ts';
import { sumOfSpans } from '../window-downtime.ts';
import { type Availability, availabilityOf, type Seen, type Unread, unreadOf } from './certainty.ts';
import type { Downtime, Episode, Outage } from './downtime.ts';
import { type Latency, latencyCounter } from './latency.ts';
import { type AnalyzeSettings, type MeasuredLog, measureLog } from './measure-log.ts';
import type { LogFiles } from './read-plain-log.ts';
import { sumSeconds } from './stretches.ts';

/** docs/contract.md, "analyze --json". Instants are ISO 8601. */
export interface Analysis {
  readonly schemaVersion: 1;
  readonly log: {
    readonly format: LogPart['format'];
    readonly intervalSeconds: number;
    /** Between two probes of the edges. */
    readonly edgesSeconds?: number;
    /** Of the log's times, if they are whole seconds: it widens both bounds of an outage. */
    readonly resolutionSeconds?: number;
    /** The first sample and the last; or the wanted time, where there is one. */
    readonly from: string;
    readonly to: string;
    readonly samples: number;
    readonly unknown: number;
    readonly clockSteps?: readonly AnalyzedClockStep[];
  };
  /**
   * The sum over all targets: a second in which two are down counts twice. `partial` is that of a target, never of
   * their sum.
   */
  readonly downtime: AnalyzedDowntime;
  /** Each target by itself, if the log has more than one. */
  readonly targets?: readonly AnalyzedTarget[];
  readonly outages: readonly AnalyzedOutage[];
  /** The outages as people see them: those of a part of the requests as one. */
  readonly episodes: readonly AnalyzedEpisode[];
  readonly latency: Latency;
  readonly availability: Availability;
  readonly unread: Unread;
  /** What the columns of its lines hold; `_` counts for nothing. */
  readonly columns: readonly Column[];
}

/** The prober's clock was set ahead or (negative) back, after the sample that began at that instant. */
export interface AnalyzedClockStep {
  readonly at: string;
  readonly seconds: number;
}

export type AnalyzedDowntime = Pick<
  Downtime['downtime'],
  'seconds' | 'lowerSeconds' | 'upperSeconds' | 'slowSeconds' | 'edges' | 'partial' | 'span' | 'share'
>;
export interface AnalyzedTarget {
  readonly target: string;
  readonly samples: number;
  readonly unknown: number;
  readonly downtime: AnalyzedDowntime;
}

/** An outage as in `report.json`, but without a scenario. It has a target if the log has more than one. */
export type AnalyzedOutage = Outage & { readonly scenario: null; readonly target?: string };

export type AnalyzedEpisode = Episode & { readonly target?: string };

/**
 * Reads a downtime log of `holdfast monitor` or of a curl loop once, in memory that grows only with its outages.
 * Settings replace those of the log. A file that cannot be read, is no log or has no samples in the window is a
 * `UsageError`.
 */
export async function analyze(
  files: Files,
  path: string,
  settings: AnalyzeSettings = {},
  from: Omit<LogFiles, 'files'> = {},
): Promise<Analysis> {
  return analyzeFiles({ ...from, files }, [path], settings);
}

/** The same of a log in several files, in the order of their times. */
export async function analyzeFiles(
  from: LogFiles,
  paths: readonly string[],
  settings: AnalyzeSettings = {},
): Promise<Analysis> {
  const latency = latencyCounter();
  const { part, first, last, clockSteps, understood, targets } = await measureLog(from, paths, settings, latency);
  const rest = summary(targets);
  return {
    schemaVersion: 1,
    log: { ...settingsOf(part), ...judgedTime(settings, first, last), ...rest.counts, ...clockStepsOf(clockSteps) },
    downtime: rest.downtime,
    ...(rest.targets.length > 1 ? { targets: rest.targets } : {}),
    outages: rest.outages,
    episodes: rest.episodes,
    latency: latency.end(),
    availability: availabilityOf(targets.map(seenOf)),
    unread: unreadOf(understood),
    columns: understood.columns,
  };
}

/** What is unknown at the edges of the wanted time counts, so that it is all of that time. */
export const judgedTime = ({ from, to }: AnalyzeSettings, first: number, last: number) => ({
  from: iso(Math.min(from ?? first, first)),
  to: iso(Math.max(to ?? last, last)),
});

function seenOf({ downtime, sight: { seen } }: Downtime): Seen {
  const { lowerSeconds, upperSeconds, unknownSeconds } = downtime;
  return { seenSeconds: (seen.to - seen.from) / 1000, lowerSeconds, upperSeconds, unknownSeconds };
}

/** Absent where nobody set the clock. */
export function clockStepsOf(steps: readonly ClockStep[]): { readonly clockSteps?: readonly AnalyzedClockStep[] } {
  return steps.length === 0 ? {} : { clockSteps: steps.map(({ at, seconds }) => ({ at: iso(at), seconds })) };
}

export function settingsOf({ format, intervalSeconds, edgesSeconds, resolutionSeconds }: LogPart) {
  const edges = edgesSeconds === undefined ? {} : { edgesSeconds };
  return { format, intervalSeconds, ...edges, ...(resolutionSeconds === 0 ? {} : { resolutionSeconds }) };
}

function summary(ends: MeasuredLog['targets']) {
  const several = ends.length > 1;
  const outages = ends.flatMap(({ target, outages: ofTarget }) =>
    ofTarget.map((outage): AnalyzedOutage => ({ ...outage, scenario: null, ...(several ? { target } : {}) })),
  );
  const total = (key: Exclude<keyof Downtime['downtime'], 'partial' | 'edges' | 'span' | 'share'>) =>
    sumSeconds(ends.map(({ downtime }) => downtime[key]));
  return {
    counts: { samples: total('samples'), unknown: total('unknown') },
    downtime: {
      seconds: total('seconds'),
      lowerSeconds: total('lowerSeconds'),
      upperSeconds: total('upperSeconds'),
      slowSeconds: total('slowSeconds'),
      ...(several ? { span: sumOfSpans(ends.map(({ downtime }) => downtime.span)) } : partOf(ends[0]?.downtime)),
    },
    targets: ends.map(targetOf),
    outages: several ? inOrder(outages) : outages,
    // Those of a single target are in order, and may be very many.
    episodes: several
      ? inOrder(ends.flatMap(({ target, episodes }) => episodes.map((one) => ({ ...one, target }))))
      : (ends[0]?.episodes ?? []),
  };
}

/** All instants are of one form, and of this millennium's years: their text is in their order. */
const inOrder = <T extends { readonly from: string }>(all: readonly T[]): readonly T[] =>
  all.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));

function targetOf({ target, downtime }: Downtime & { readonly target: string }): AnalyzedTarget {
  const { samples, unknown, seconds, lowerSeconds, upperSeconds, slowSeconds } = downtime;
  return {
    target,
    samples,
    unknown,
    downtime: { seconds, lowerSeconds, upperSeconds, slowSeconds, ...partOf(downtime) },
  };
}

/** No target has no downtime. */
const partOf = (downtime: Downtime['downtime'] | undefined) => ({
  span: downtime?.span ?? sumOfSpans([]),
  ...(downtime?.share === undefined ? {} : { share: downtime.share }),
  ...(downtime?.partial === undefined ? {} : { partial: downtime.partial }),
});

const iso = (at: number) => new Date(at).toISOString();
