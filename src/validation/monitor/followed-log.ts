import { OperationError } from '../../host/errors.ts';
import type { Sample } from '../../host/host.ts';
import { expectedOf, type OutageKind, outageKind } from '../downtime/outage-kind.ts';
import { isOurs, type LogHeader, parseExtra, parseHeader } from '../downtime-log/downtime-log.ts';
import { parseFact } from '../downtime-log/log-facts.ts';
import { longestGapIntervals } from '../downtime-log/longest-gap.ts';
import { loopSettings, typicalGapSeconds } from '../downtime-log/loop-collector.ts';
import { goodSamples } from '../frame.ts';
import type { Column } from '../loop-log/columns.ts';
import { loopLog, whileWritten } from '../loop-log/loop-log.ts';
import type { LoopSample } from '../loop-log/loop-sample.ts';
import { type ClockWitness, clockWitness } from './clock-witness.ts';

/**
 * A log that another machine writes, as far as it has come. Instants are epoch milliseconds of that machine's clock.
 */
export interface FollowedLog {
  /**
   * Takes one whole line without its line end, and when it came by this machine's clock. Returns the samples of the
   * watched targets that it holds or completes, judged by the log's own settings. A line of `holdfast monitor` without
   * a header before it is an `OperationError`: its settings are unknown.
   */
  readonly take: (line: string, cameAt: number) => readonly JudgedSample[];
  /** When the newest sample ended; undefined before the first one. */
  readonly newestEndedAt: () => number | undefined;
  /**
   * How far the log's clock is behind this machine's, including a line's way, by the quickest of the newest lines;
   * undefined before the first one.
   */
  readonly behindSeconds: () => number | undefined;
  /**
   * Called with the seconds by which the log's clock was set ahead of this machine's, by its own word or by when its
   * lines come.
   */
  readonly onClockSet: (listener: (seconds: number) => void) => void;
  /** The first of its header; undefined before one, and of a curl loop. */
  readonly target: () => string | undefined;
  /** What the columns of a loop's lines hold; empty before they are learnt, and for a log of `holdfast monitor`. */
  readonly columns: () => readonly Column[];
  /** Between two probes: from the header, or the typical gap of a curl loop so far. */
  readonly intervalSeconds: () => number;
  /**
   * Good samples in a row of that target, or the first, up to now that started at or after that instant. A missing tick
   * ends the row.
   */
  readonly goodInARow: (sinceAt: number, url?: string) => number;
  /** Whether every sample that started before that instant must have come by now. */
  readonly isCompleteBefore: (at: number) => boolean;
}
export interface JudgedSample {
  readonly sample: Sample;
  readonly target: string;
  /** Of the edges, which decide nothing here. */
  readonly edge: boolean;
  readonly kind: OutageKind | undefined;
}

/** More than a baseline needs (`goodSamples`), even with a gap of the longest timeout. */
const mostRemembered = 1000;
/** Enough lines that the quickest of them was not delayed. */
const newestLines = goodSamples;

const sampleLine = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{3}) (\d+\.\d{3})( .*)?$/;

interface Start {
  readonly at: number;
  readonly good: boolean;
}

interface Followed {
  /** Absent before the first header, and always for a curl loop. */
  header: LogHeader | undefined;
  /** Of the times in the log: 0 with milliseconds, 1 for a `date` in whole seconds. */
  resolutionSeconds: number;
  /** Of each watched target, the first one under the empty name. */
  readonly starts: Map<string, readonly Start[]>;
  newestEndedAt: number | undefined;
  lagSeconds: readonly number[];
  readonly witness: ClockWitness;
  clockSet: (seconds: number) => void;
}

/**
 * Reads a log of `holdfast monitor` (docs/contract.md, "The downtime log") or of a curl loop, line by line as it comes;
 * watches the first target, and those of `further`.
 */
export function followedLog(further: readonly string[] = []): FollowedLog {
  const log: Followed = {
    header: undefined,
    resolutionSeconds: 0,
    starts: new Map(['', ...further].map((target) => [target, []])),
    newestEndedAt: undefined,
    lagSeconds: [],
    witness: clockWitness(),
    clockSet: () => {},
  };
  const loop = loopLines();
  const firstStarts = () => log.starts.get('') ?? [];
  const intervalSeconds = () => log.header?.intervalSeconds ?? typicalGapSeconds(firstStarts());
  return {
    take(line, cameAt) {
      const header = parseHeader(line);
      if (header !== undefined) log.header = 'version' in header ? log.header : header;
      else if (line.startsWith('#')) takeFact(log, line);
      else
        return samplesIn(log, line, loop.take)
          .map((read) => judged(log, read, cameAt))
          .filter(({ target, edge }) => placesOf(log, target).length > 0 && !edge);
      return [];
    },
    newestEndedAt: () => log.newestEndedAt,
    behindSeconds: () =>
      log.lagSeconds.length === 0 ? undefined : Math.min(...log.lagSeconds) - log.resolutionSeconds,
    onClockSet: (listener) => {
      log.clockSet = listener;
    },
    target: () => log.header?.targets[0],
    columns: loop.columns,
    intervalSeconds,
    goodInARow: (sinceAt, url = '') => {
      const starts = log.starts.get(url === firstTarget(log) ? '' : url) ?? [];
      return goodInARow(starts, longestGapIntervals * intervalSeconds() + log.resolutionSeconds, sinceAt);
    },
    isCompleteBefore: (at) =>
      (firstStarts().at(-1)?.at ?? 0) >= at + (log.header ?? loopSettings).timeoutSeconds * 1000,
  };
}

/** Under which of the watched names a target's samples are kept. */
const placesOf = (log: Followed, target: string): readonly string[] =>
  [target === firstTarget(log) ? '' : target].filter((place) => log.starts.has(place));

function remember({ starts }: Followed, places: Iterable<string>, start: Start): void {
  for (const place of places) {
    const row = [...(starts.get(place) ?? []), start];
    starts.set(place, row.toSorted((a, b) => a.at - b.at).slice(-mostRemembered));
  }
}

function takeFact(log: Followed, line: string): void {
  const fact = parseFact(line);
  if (fact?.type === 'clock-step') {
    log.witness.told(fact.seconds);
    log.clockSet(fact.seconds);
  }
  if (fact?.type !== 'missed' && fact?.type !== 'unknown') return;
  refuseWithoutHeader(log);
  const target = fact.type === 'unknown' ? fact.target : undefined;
  remember(log, target === undefined ? log.starts.keys() : placesOf(log, target), { at: fact.from, good: false });
}

function refuseWithoutHeader({ header }: Followed): void {
  if (header !== undefined) return;
  throw new OperationError({
    tried: 'Reading the downtime log',
    on: 'a line of holdfast monitor',
    reason: 'no header came before it, so the settings of that monitor are unknown',
    next: 'Send the first line of the log before the rest, as docs/bastion-log.md shows',
  });
}

interface ReadSample {
  readonly sample: Sample;
  readonly target?: string | undefined;
  readonly edge?: boolean;
}

function samplesIn(log: Followed, line: string, loop: ReturnType<typeof loopLines>['take']): readonly ReadSample[] {
  const [, at, status, seconds, words = ''] = sampleLine.exec(line) ?? [];
  if (at !== undefined && isOurs(words)) refuseWithoutHeader(log);
  if (at === undefined || log.header === undefined) return loop(line).map((read) => loopSample(log, read));
  const extra = parseExtra(words);
  // A program that follows the log has read the line before it was cut off.
  if (extra === undefined || extra.again) return [];
  log.resolutionSeconds = 0;
  const { target, edge = false, ...more } = extra;
  const sample: Sample = { at: Date.parse(at), status: Number(status), seconds: Number(seconds), phases: {}, ...more };
  return [{ sample, target, edge }];
}

/** The samples that a line completes. What is not understood is no sample. */
function loopLines() {
  let samples: LoopSample[] = [];
  const loop = loopLog({ sample: (sample) => samples.push(sample), unread: () => {} }, undefined, whileWritten);
  const take = (line: string): readonly LoopSample[] => {
    samples = [];
    loop.line(line);
    return samples;
  };
  return { take, columns: loop.columns };
}

/** A request without a result failed in an unknown way, so it is a bad sample here. */
function loopSample(log: Followed, { at, fine, result }: LoopSample): ReadSample {
  log.resolutionSeconds = fine ? 0 : 1;
  const { status, millis } = result ?? { status: 0, millis: 0 };
  const seconds = Number.isNaN(millis) ? 0 : millis / 1000;
  return { sample: { at, status, seconds, connection: 'new', phases: {} } };
}

function judged(log: Followed, { sample, target: named, edge = false }: ReadSample, cameAt: number): JudgedSample {
  const settings = log.header ?? loopSettings;
  const target = named ?? firstTarget(log);
  const kind = outageKind(sample, expectedOf(settings, target));
  const endedAt = sample.at + sample.seconds * 1000;
  log.newestEndedAt = Math.max(log.newestEndedAt ?? 0, endedAt);
  const lagSeconds = (cameAt - endedAt) / 1000;
  log.lagSeconds = [...log.lagSeconds, lagSeconds].slice(-newestLines);
  const setSeconds = log.witness.line(lagSeconds, log.resolutionSeconds);
  if (setSeconds !== undefined) log.clockSet(setSeconds);
  if (!edge && sample.connection === 'new')
    remember(log, placesOf(log, target), { at: sample.at, good: kind === undefined });
  return { sample, target, edge, kind };
}

/** A curl loop's log names none. */
const firstTarget = ({ header }: Followed): string => header?.targets[0] ?? '';

function goodInARow(starts: readonly Start[], mostSeconds: number, sinceAt: number): number {
  let count = 0;
  let next: number | undefined;
  for (const { at, good } of starts.toReversed()) {
    const gap = next !== undefined && next - at > mostSeconds * 1000;
    if (!good || gap || at < sinceAt) break;
    count += 1;
    next = at;
  }
  return count;
}
