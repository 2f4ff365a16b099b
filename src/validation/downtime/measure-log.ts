import { OperationError, UsageError } from '../../host/errors.ts';
import type { ExpectedStatuses } from '../../settings/expected-status.ts';
import type { LoggedSample, LogPart } from '../downtime-log/downtime-log.ts';
import type { ClockStep } from '../downtime-log/log-listener.ts';
import type { QuietRun } from '../downtime-log/quiet-run.ts';
import type { Understood } from '../downtime-log/unread-lines.ts';
import type { Column } from '../loop-log/columns.ts';
import type { Downtime } from './downtime.ts';
import { type DowntimeMeter, downtimeMeter } from './downtime-meter.ts';
import type { JudgedListener } from './judged-log.ts';
import { judgedReader } from './judged-reader.ts';
import type { LatencyCounter } from './latency.ts';
import type { OutageKind } from './outage-kind.ts';
import { readLogFile } from './read-log-file.ts';
import type { LogFiles } from './read-plain-log.ts';

export interface AnalyzeSettings {
  readonly slowSeconds?: number;
  readonly expect?: ExpectedStatuses;
  /** Epoch milliseconds, included. */
  readonly from?: number;
  /** Epoch milliseconds, not included. */
  readonly to?: number;
  /** Skips the bytes of the first file before this one, for a log to which a monitor appends. */
  readonly fromByte?: number;
  /** What the columns of a loop's log hold, where that is not to be learnt. */
  readonly columns?: readonly Column[];
}

/** What the files of one log say of each of its targets. */
export interface MeasuredLog {
  readonly part: LogPart;
  /** The first sample and the last one, epoch milliseconds. */
  readonly first: number;
  readonly last: number;
  readonly clockSteps: readonly ClockStep[];
  readonly understood: Understood;
  readonly targets: readonly (Downtime & { readonly target: string })[];
}

/**
 * Reads the files once, in their order. One that cannot be read, is no log or has no samples in the window is a
 * `UsageError`.
 */
export async function measureLog(
  from: LogFiles,
  paths: readonly string[],
  settings: AnalyzeSettings,
  latency: LatencyCounter,
): Promise<MeasuredLog> {
  const analysis = analyzer(settings, latency);
  const reader = judgedReader(analysis.listener, settings);
  const path = paths.join(', ');
  for (const [index, one] of paths.entries())
    await readLogFile(from, one, reader, index === 0 ? settings : { ...settings, fromByte: 0 }).catch(unreadable(one));
  try {
    reader.end();
  } catch (error) {
    unreadable(path)(error);
  }
  const { part, first, last, clockSteps, meters } = analysis.state;
  if (part === undefined)
    throw new UsageError([`${path} is not a downtime log: no line of it is a sample of holdfast or of a curl loop.`]);
  if (Number.isNaN(first))
    throw new UsageError([
      `${path} has no samples${(settings.from ?? settings.to) ? ' in that time: look at --from and --to' : ''}.`,
    ]);
  const targets = [...meters].map(([target, meter]) => ({ target, ...meter.end() }));
  return { part, first, last, clockSteps, understood: reader.understood(), targets };
}

/** Throws an `OperationError` as what is wrong with that file; any other error as it is. */
function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof OperationError)) throw error;
    const { reason, next = 'name a log of monitor, validate or curl' } = error.failure;
    throw new UsageError([`${path} cannot be read: ${reason}; ${next}.`]);
  };
}

interface Analyzer {
  readonly listener: JudgedListener;
  readonly state: State;
}

interface State {
  readonly meters: Map<string, DowntimeMeter>;
  readonly latency: LatencyCounter;
  part: LogPart | undefined;
  /** Of the part's first target, whose lines name no target. */
  meter: DowntimeMeter | undefined;
  /** NaN before the first sample: a field that is always a number is faster. */
  first: number;
  last: number;
  readonly clockSteps: ClockStep[];
}

function analyzer(settings: AnalyzeSettings, latency: LatencyCounter): Analyzer {
  const state: State = {
    meters: new Map(),
    latency,
    part: undefined,
    meter: undefined,
    first: Number.NaN,
    last: Number.NaN,
    clockSteps: [],
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
      clockStep: (step) => {
        if (step.at < from || step.at >= to) return;
        state.clockSteps.push(step);
        // By the new clock the window has ended.
        if (step.at + step.aheadMs >= to) return;
        if (step.aheadMs > 0) for (const meter of state.meters.values()) meter.clockAhead(step.aheadMs);
      },
      quiet: (run) => takeQuiet(state, run, from, to),
    },
    state,
  };
}

function takeSample(state: State, sample: LoggedSample, kind: OutageKind | undefined): void {
  const { at, status, millis, extra } = sample;
  if (extra.edge === undefined) {
    // The time of an answer is NaN where a loop did not write it.
    if (status !== 0 && extra.error === undefined && millis >= 0) state.latency.add(millis);
    if (Number.isNaN(state.first)) state.first = at;
    state.last = at;
  }
  const meter = extra.target === undefined ? state.meter : state.meters.get(extra.target);
  if (kind === undefined) meter?.add(sample, kind, extra.edge === true);
  else meter?.add({ at, millis, cause: extra.cause }, kind, extra.edge === true);
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
