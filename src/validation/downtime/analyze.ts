import { OperationError, UsageError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import type { LoggedSample, LogPart } from '../downtime-log/downtime-log.ts';
import type { QuietRun } from '../downtime-log/quiet-run.ts';
import type { Downtime, Episode, Outage } from './downtime.ts';
import { type DowntimeMeter, downtimeMeter } from './downtime-meter.ts';
import type { JudgedListener } from './judged-log.ts';
import { judgedReader } from './judged-reader.ts';
import { type Latency, latencyCounter } from './latency.ts';
import type { OutageKind } from './outage-kind.ts';
import { readLogFile } from './read-log-file.ts';
import type { LogFiles } from './read-plain-log.ts';
import { sumSeconds } from './sum-seconds.ts';

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
    readonly from: string;
    readonly to: string;
    readonly samples: number;
    readonly unknown: number;
  };
  /** The sum over all targets: a second in which two are down counts twice. `partial` is that of a target, never of their sum. */
  readonly downtime: AnalyzedDowntime;
  /** Each target by itself, if the log has more than one. */
  readonly targets?: readonly AnalyzedTarget[];
  readonly outages: readonly AnalyzedOutage[];
  /** The outages as people see them: those of a part of the requests as one. */
  readonly episodes: readonly AnalyzedEpisode[];
  readonly latency: Latency;
}

export type AnalyzedDowntime = Pick<
  Downtime['downtime'],
  'seconds' | 'lowerSeconds' | 'upperSeconds' | 'slowSeconds' | 'edges' | 'partial'
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

export interface AnalyzeSettings {
  readonly slowSeconds?: number;
  readonly expect?: number;
  /** Epoch milliseconds, included. */
  readonly from?: number;
  /** Epoch milliseconds, not included. */
  readonly to?: number;
  /** Skips the bytes of the first file before this one, for a log to which a monitor appends. */
  readonly fromByte?: number;
}

/**
 * Reads a downtime log of `holdfast monitor` or of a curl loop once, in memory that grows only with its outages. Settings replace those of the log.
 * A file that cannot be read, is no log or has no samples in the window is a `UsageError`.
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
  const analysis = analyzer(settings);
  const reader = judgedReader(analysis.listener, settings);
  const path = paths.join(', ');
  for (const [index, one] of paths.entries())
    await readLogFile(from, one, reader, index === 0 ? settings : { ...settings, fromByte: 0 }).catch((error) => {
      if (error instanceof OperationError) throw new UsageError([`${one} cannot be read: ${error.failure.reason}`]);
      throw error;
    });
  reader.end();
  const { part, first, last, ...rest } = analysis.end();
  if (part === undefined)
    throw new UsageError([`${path} is not a downtime log: no line of it is a sample of holdfast or of a curl loop`]);
  if (Number.isNaN(first))
    throw new UsageError([`${path} has no samples${(settings.from ?? settings.to) ? ' in that time' : ''}`]);
  return {
    schemaVersion: 1,
    log: { ...settingsOf(part), from: iso(first), to: iso(last), ...rest.counts },
    downtime: rest.downtime,
    ...(rest.targets.length > 1 ? { targets: rest.targets } : {}),
    outages: rest.outages,
    episodes: rest.episodes,
    latency: rest.latency,
  };
}

function settingsOf({ format, intervalSeconds, edgesSeconds, resolutionSeconds }: LogPart) {
  const edges = edgesSeconds === undefined ? {} : { edgesSeconds };
  return { format, intervalSeconds, ...edges, ...(resolutionSeconds === 0 ? {} : { resolutionSeconds }) };
}

interface Analyzer {
  readonly listener: JudgedListener;
  readonly end: () => ReturnType<typeof summary>;
}

interface State {
  readonly meters: Map<string, DowntimeMeter>;
  readonly latency: ReturnType<typeof latencyCounter>;
  part: LogPart | undefined;
  /** Of the part's first target, whose lines name no target. */
  meter: DowntimeMeter | undefined;
  /** NaN before the first sample: a field that is always a number is faster. */
  first: number;
  last: number;
}

function analyzer(settings: AnalyzeSettings): Analyzer {
  const state: State = {
    meters: new Map(),
    latency: latencyCounter(),
    part: undefined,
    meter: undefined,
    first: Number.NaN,
    last: Number.NaN,
  };
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = settings;
  return {
    listener: {
      part: (part) => beginPart(state, part, settings),
      sample: (sample, kind) => {
        if (sample.at < from || sample.at >= to || sample.extra.connection !== 'new') return;
        if (sample.unknownTicks > 0) takeUnknown(state, sample);
        else takeSample(state, sample, kind);
      },
      clockStep: () => {},
      quiet: (run) => takeQuiet(state, run, from, to),
    },
    end: () => summary(state),
  };
}

function takeSample(state: State, sample: LoggedSample, kind: OutageKind | undefined): void {
  const { at, status, millis, extra } = sample;
  if (extra.edge === undefined) {
    if (status !== 0 && extra.error === undefined) state.latency.add(millis);
    if (Number.isNaN(state.first)) state.first = at;
    state.last = at;
  }
  const meter = extra.target === undefined ? state.meter : state.meters.get(extra.target);
  meter?.add(sample, kind, extra.edge === true);
}

/** A run that crosses an edge of the window is not taken. */
function takeQuiet(state: State, run: QuietRun, from: number, to: number): boolean {
  const { firstAt, lastAt, latencies } = run;
  if (lastAt < from || firstAt >= to) return true;
  if (firstAt < from || lastAt >= to) return false;
  for (let index = 0; index < latencies.length; index += 2)
    state.latency.add(latencies[index] as number, latencies[index + 1]);
  if (Number.isNaN(state.first)) state.first = firstAt;
  state.last = lastAt;
  state.meter?.addQuiet(run);
  return true;
}

function takeUnknown({ meters }: State, sample: LoggedSample): void {
  const { target, edge } = sample.extra;
  if (edge) return;
  if (target === undefined) for (const meter of meters.values()) meter.add(sample, undefined);
  else meters.get(target)?.add(sample, undefined);
}

/** A curl loop's log names no target, so its meter has the name ''. */
function beginPart(state: State, part: LogPart, { from, to }: AnalyzeSettings): void {
  state.part ??= part;
  const { intervalSeconds, resolutionSeconds } = part;
  const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const targets = part.targets.length === 0 ? [''] : part.targets;
  for (const target of targets) {
    const known = state.meters.get(target);
    if (known === undefined) state.meters.set(target, downtimeMeter({ intervalSeconds, resolutionSeconds, ...window }));
    else known.interval(intervalSeconds);
  }
  state.meter = state.meters.get(targets[0] ?? '');
}

function summary({ meters, latency, part, first, last }: State) {
  const ends = [...meters].map(([target, meter]) => ({ target, ...meter.end() }));
  const several = ends.length > 1;
  const outages = ends.flatMap(({ target, outages: ofTarget }) =>
    ofTarget.map((outage): AnalyzedOutage => ({ ...outage, scenario: null, ...(several ? { target } : {}) })),
  );
  const total = (key: Exclude<keyof Downtime['downtime'], 'partial' | 'edges'>) =>
    sumSeconds(ends.map(({ downtime }) => downtime[key]));
  return {
    part,
    first,
    last,
    counts: { samples: total('samples'), unknown: total('unknown') },
    downtime: {
      seconds: total('seconds'),
      lowerSeconds: total('lowerSeconds'),
      upperSeconds: total('upperSeconds'),
      slowSeconds: total('slowSeconds'),
      ...(several ? {} : partialOf(ends[0]?.downtime)),
    },
    targets: ends.map(targetOf),
    outages: outages.sort((a, b) => a.from.localeCompare(b.from)),
    episodes: ends
      .flatMap(({ target, episodes }) => episodes.map((one) => ({ ...one, ...(several ? { target } : {}) })))
      .sort((a, b) => a.from.localeCompare(b.from)),
    latency: latency.end(),
  };
}

function targetOf({ target, downtime }: Downtime & { readonly target: string }): AnalyzedTarget {
  const { samples, unknown, seconds, lowerSeconds, upperSeconds, slowSeconds } = downtime;
  return {
    target,
    samples,
    unknown,
    downtime: { seconds, lowerSeconds, upperSeconds, slowSeconds, ...partialOf(downtime) },
  };
}

const partialOf = (downtime: Downtime['downtime'] | undefined) =>
  downtime?.partial === undefined ? {} : { partial: downtime.partial };

const iso = (at: number) => new Date(at).toISOString();
