import { OperationError, UsageError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import type { LineExtra, LogPart } from '../downtime-log/downtime-log.ts';
import { logReader } from '../downtime-log/log-reader.ts';
import type { Downtime, Outage } from './downtime.ts';
import { type DowntimeMeter, downtimeMeter, sumSeconds } from './downtime-meter.ts';
import { type JudgedListener, judgedLog } from './judged-log.ts';
import { type Latency, latencyCounter } from './latency.ts';
import type { OutageKind } from './outage-kind.ts';
import { withoutProberTrouble } from './prober-trouble.ts';

/** `analyze --json` (contract section 4). Instants are ISO 8601. */
export interface Analysis {
  readonly schemaVersion: 1;
  readonly log: {
    readonly format: LogPart['format'];
    readonly intervalSeconds: number;
    /** Of its times, where they have no fraction: so much wider are the bounds on either side. */
    readonly resolutionSeconds?: number;
    readonly from: string;
    readonly to: string;
    readonly samples: number;
    readonly unknown: number;
  };
  /** Of several targets the sum: seconds in which both are down count twice. */
  readonly downtime: AnalyzedDowntime;
  /** Where the log has more than one, each by itself. */
  readonly targets?: readonly AnalyzedTarget[];
  readonly outages: readonly AnalyzedOutage[];
  readonly latency: Latency;
}

export type AnalyzedDowntime = Pick<Downtime['downtime'], 'seconds' | 'lowerSeconds' | 'upperSeconds' | 'slowSeconds'>;
export interface AnalyzedTarget {
  readonly target: string;
  readonly samples: number;
  readonly unknown: number;
  readonly downtime: AnalyzedDowntime;
}

/** As in the report, where the scenario is known. The target is said where the log has more than one. */
export type AnalyzedOutage = Outage & { readonly scenario: null; readonly target?: string };

export interface AnalyzeSettings {
  readonly slowSeconds?: number;
  readonly expect?: number;
  /** Epoch milliseconds, included. */
  readonly from?: number;
  /** Epoch milliseconds, not included. */
  readonly to?: number;
  /** Where a monitor's own part of the log begins; nothing before it is read. */
  readonly fromByte?: number;
}

/**
 * Reads a downtime log of ours or of a curl loop once, in memory that does not grow with it, and tells its outages. Several targets are summed.
 * A file that cannot be read, is no log or has no samples in the window is a `UsageError`.
 */
export async function analyze(files: Files, path: string, settings: AnalyzeSettings = {}): Promise<Analysis> {
  const analysis = analyzer(settings);
  const guard = withoutProberTrouble(analysis.listener);
  const reader = logReader(judgedLog(guard.listener, settings));
  try {
    for await (const chunk of files.chunks(path, settings.fromByte)) reader.push(chunk);
  } catch (error) {
    if (error instanceof OperationError) throw new UsageError([`${path} cannot be read: ${error.failure.reason}`]);
    throw error;
  }
  reader.end();
  guard.end();
  const { part, first, last, ...rest } = analysis.end();
  if (part === undefined)
    throw new UsageError([`${path} is not a downtime log: no line of it is a sample of holdfast or of a curl loop`]);
  if (Number.isNaN(first))
    throw new UsageError([`${path} has no samples${(settings.from ?? settings.to) ? ' in that time' : ''}`]);
  return {
    schemaVersion: 1,
    log: { ...wordsOf(part), from: iso(first), to: iso(last), ...rest.counts },
    downtime: rest.downtime,
    ...(rest.targets.length > 1 ? { targets: rest.targets } : {}),
    outages: rest.outages,
    latency: rest.latency,
  };
}

function wordsOf({ format, intervalSeconds, resolutionSeconds }: LogPart) {
  return { format, intervalSeconds, ...(resolutionSeconds === 0 ? {} : { resolutionSeconds }) };
}

interface Analyzer {
  readonly listener: JudgedListener;
  readonly end: () => ReturnType<typeof summary>;
}

interface State {
  readonly meters: Map<string, DowntimeMeter>;
  readonly latency: ReturnType<typeof latencyCounter>;
  part: LogPart | undefined;
  /** Of the part's first target, which most lines mean. */
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
  const counts = (at: number, extra: LineExtra) => at >= from && at < to && extra.connection === 'new';
  return {
    listener: {
      part: (part) => beginPart(state, part, settings),
      sample: (at, millis, kind, status, extra) => {
        if (!counts(at, extra)) return;
        if (status !== 0 && extra.error === undefined) state.latency.add(millis);
        if (Number.isNaN(state.first)) state.first = at;
        state.last = at;
        const meter = extra.target === undefined ? state.meter : state.meters.get(extra.target);
        takeSample(meter, at, millis, kind);
      },
      unknown: (at, ticks, extra) => {
        if (!counts(at, extra)) return;
        for (const target of extra.target === undefined ? state.meters.keys() : [extra.target])
          state.meters.get(target)?.unknown(at, ticks);
      },
      clockStep: () => {},
    },
    end: () => summary(state),
  };
}

function takeSample(meter: DowntimeMeter | undefined, at: number, millis: number, kind: OutageKind | undefined): void {
  if (kind === undefined) meter?.good(at, millis);
  else meter?.bad(at, kind);
}

/** A curl loop's target is not known. */
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
  const total = (key: keyof Downtime['downtime']) => sumSeconds(ends.map(({ downtime }) => downtime[key]));
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
    },
    targets: ends.map(targetOf),
    outages: outages.sort((a, b) => a.from.localeCompare(b.from)),
    latency: latency.end(),
  };
}

function targetOf({ target, downtime }: Downtime & { readonly target: string }): AnalyzedTarget {
  const { samples, unknown, seconds, lowerSeconds, upperSeconds, slowSeconds } = downtime;
  return { target, samples, unknown, downtime: { seconds, lowerSeconds, upperSeconds, slowSeconds } };
}

const iso = (at: number) => new Date(at).toISOString();
