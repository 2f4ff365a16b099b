import { UsageError } from '../../host/errors.ts';
import type { Column } from '../loop-log/columns.ts';
import {
  defaultHeader,
  headerBegin,
  isOurs,
  type LineExtra,
  type LoggedSample,
  type LogHeader,
  parseHeader,
  repeatedHeader,
} from './downtime-log.ts';
import { newConnection, refuseTarget } from './line-extras.ts';
import { type LogFact, parseFact } from './log-facts.ts';
import type { LogListener } from './log-listener.ts';
import { logScanner } from './log-scanner.ts';
import { type LoopCollector, type LoopPartListener, loopCollector, textOf } from './loop-collector.ts';
import type { QuietRun } from './quiet-run.ts';
import { begunReading, type Reading } from './reading.ts';
import { type ReorderBuffer, reorderBuffer } from './reorder-buffer.ts';
import { ourColumns, type Understood, unreadLines } from './unread-lines.ts';

export interface LogReader {
  readonly push: (chunk: Uint8Array) => void;
  /**
   * Takes a quiet run instead of its lines, between two whole lines; false, with nothing changed, if the lines have to
   * be pushed.
   */
  readonly quiet: (run: QuietRun) => boolean;
  /** A line of which only the beginning was pushed does not go on: the next bytes are another file's. */
  readonly endFile: () => void;
  readonly end: () => void;
  /** How much of the log was understood, after its end. */
  readonly understood: () => Understood;
}

/** A line whose time is older than the newest by more than the timeout plus this shows that the clock was set back. */
const toleranceMs = 2000;

/**
 * Reads a log of `holdfast monitor` (docs/contract.md, "The downtime log") or of a curl loop in one pass: push its
 * bytes in order, then call `end`. Torn lines are ignored. Those of a loop are read by its columns, where they are
 * given. A log of another version is a `UsageError`.
 */
export function logReader(listener: LogListener, columns?: readonly Column[]): LogReader {
  const reading = begunReading(listener);
  const unread = unreadLines();
  const loop = loopCollector(loopListener(reading, unread.take), columns);
  const takeOther = (line: string) => {
    if (reading.order === undefined) loop.line(line);
    else unread.take(line);
  };
  const scanner = logScanner({
    sample: (sample, words) => {
      unread.counts.lines += 1;
      if (reading.order === undefined && isOurs(words)) beginWithoutHeader(reading, loop);
      if (reading.order === undefined) loop.line(textOf(sample, words));
      else takeSample(reading, reading.order, sample, words);
    },
    other: (line) => {
      if (line.startsWith(headerBegin)) takeHeader(reading, line, loop);
      else if (line.startsWith('#')) takeFact(reading, parseFact(line), loop);
      else if (unread.isLine(line)) takeOther(line);
    },
  });
  return {
    push: scanner.push,
    quiet: (run) => {
      const taken = takeQuiet(reading, run);
      if (taken) unread.counts.lines += run.count;
      return taken;
    },
    endFile: scanner.endFile,
    end: () => {
      loop.end();
      flush(reading);
    },
    understood: () => ({ ...unread.counts, columns: reading.part === undefined ? loop.columns() : ourColumns }),
  };
}

/** The samples of a loop are not sorted: it makes one request after the other. */
function loopListener(reading: Reading, unread: (line: string) => void): LoopPartListener {
  const { listener } = reading;
  return {
    part: listener.part,
    sample: (sample) => {
      const { shiftMs, passedAt } = reading;
      sample.at = shifted(reading, sample.at);
      const backMs = reading.shiftMs - shiftMs;
      if (backMs > 0) listener.clockStep({ at: passedAt, seconds: -backMs / 1000, aheadMs: 0 });
      pass(reading, sample);
    },
    clockStep: (step) => {
      reading.passedAt += step.aheadMs;
      listener.clockStep(step);
    },
    unread,
  };
}

/** A header that is repeated changes nothing. */
function takeHeader(reading: Reading, line: string, loop: LoopCollector): void {
  const repeated = repeatedHeader(line);
  const header = repeated !== undefined && repeated === reading.header ? undefined : parseHeader(line);
  if (header === undefined) return;
  reading.header = repeated ?? line;
  loop.end();
  beginPart(reading, header);
}

function beginPart(reading: Reading, header: NonNullable<ReturnType<typeof parseHeader>>): void {
  if ('version' in header) {
    throw new UsageError([`the log is of version ${header.version}, which this version of holdfast cannot read`]);
  }
  beginOurs(reading, header);
}

/**
 * A rotation may have cut the header away: lines that only `holdfast monitor` writes are then read with its default
 * settings.
 */
function beginWithoutHeader(reading: Reading, loop: LoopCollector): void {
  const held = loop.takeBack();
  beginOurs(reading, defaultHeader);
  reading.lacksHeader = true;
  const scanner = logScanner({
    sample: (sample, words) => {
      if (reading.order !== undefined) takeSample(reading, reading.order, sample, words);
    },
    other: () => {},
  });
  scanner.push(Buffer.from(held.map((line) => `${line}\n`).join('')));
}

function beginOurs(reading: Reading, header: LogHeader): void {
  flush(reading);
  reading.lacksHeader = false;
  reading.begins = true;
  reading.order = reorderBuffer(header.timeoutSeconds, (sample) => pass(reading, sample));
  reading.part = header;
  reading.timeoutMs = header.timeoutSeconds * 1000;
  reading.listener.part({ ...header, format: 'holdfast', resolutionSeconds: 0 });
}

/** Whatever is held back began before the run, so it is passed on first. */
function takeQuiet(reading: Reading, run: QuietRun): boolean {
  const { order, part, shiftMs, listener } = reading;
  if (order === undefined || part === undefined || listener.quiet === undefined) return false;
  const isSingle = part.targets.length === 1 && part.control === undefined;
  const isInOrder = shiftMs === 0 && order.newestAt() <= run.firstAt;
  if (!isSingle || !isInOrder || !isOf(part, run)) return false;
  flush(reading);
  if (!listener.quiet(run)) return false;
  reading.passedAt = run.lastAt;
  return true;
}

const isOf = ({ intervalSeconds, timeoutSeconds }: LogHeader, { settings }: QuietRun): boolean =>
  settings.intervalSeconds === intervalSeconds && settings.timeoutSeconds === timeoutSeconds;

function takeSample(reading: Reading, order: ReorderBuffer, sample: LoggedSample, words: string): void {
  const extra = words === '' ? newConnection : reading.extras(words, reading.lacksHeader);
  if (extra === undefined) return;
  sample.at = shifted(reading, sample.at);
  sample.extra = extra;
  if (extra.again && (sample.at < reading.passedAt || order.holds(sample.at, extra))) return;
  order.push(sample);
}

/**
 * `clock-offset` and `columns` also stand in a run's copy of a loop's log, so they do not show that the log is ours.
 */
function factWithoutHeader(reading: Reading, fact: LogFact | undefined, loop: LoopCollector): void {
  if (fact?.type === 'columns') loop.name(fact.columns);
  else if (fact !== undefined && fact.type !== 'clock-offset') beginWithoutHeader(reading, loop);
}

function takeFact(reading: Reading, fact: LogFact | undefined, loop: LoopCollector): void {
  if (reading.order === undefined) factWithoutHeader(reading, fact, loop);
  if (fact?.type === 'clock-step') takeClockStep(reading, fact.seconds);
  else if (fact?.type === 'stall') {
    const from = shifted(reading, fact.from);
    reading.listener.stall(from, from + fact.seconds * 1000);
  } else if (fact?.type === 'missed') {
    takeUnknown(reading, fact.from, fact.ticks, newConnection);
  } else if (fact?.type === 'unknown') {
    const { from, connection, target } = fact;
    if (reading.lacksHeader) refuseTarget(target);
    takeUnknown(reading, from, 1, target === undefined ? { connection } : { connection, target });
  }
}

/**
 * Set back, the clock's times are shifted so that they go on; set ahead again, it first makes up for that. What is left
 * shows in the times. Samples that are held back are sorted by the new clock, which the line of a probe under way will
 * have.
 */
function takeClockStep(reading: Reading, seconds: number): void {
  const { order, shiftMs, steps } = reading;
  const at = order?.newestAt() ?? Number.NEGATIVE_INFINITY;
  reading.shiftMs = Math.max(0, shiftMs - seconds * 1000);
  const aheadMs = Math.round(seconds * 1000 + reading.shiftMs - shiftMs);
  order?.ahead(aheadMs);
  if (Number.isFinite(at)) steps.add({ at, seconds, aheadMs }, at + aheadMs);
}

function takeUnknown(reading: Reading, from: number, unknownTicks: number, extra: LineExtra): void {
  reading.order?.push({ at: shifted(reading, from), status: 0, millis: 0, extra, unknownTicks });
}

/**
 * The sample's time on a clock that never goes back. A line from long ago shows a clock that was set back without a
 * `clock-step` line.
 */
function shifted(reading: Reading, at: number): number {
  if (reading.begins) {
    reading.begins = false;
    if (at > reading.passedAt) reading.shiftMs = 0;
  }
  const back = reading.passedAt - (at + reading.shiftMs);
  if (back > reading.timeoutMs + toleranceMs) reading.shiftMs += back;
  return at + reading.shiftMs;
}

function flush({ order, steps }: Reading): void {
  order?.flush();
  steps.end();
}

function pass(reading: Reading, sample: LoggedSample): void {
  sample.at = reading.steps.ownTime(sample.at);
  if (sample.at > reading.passedAt) reading.passedAt = sample.at;
  else sample.at = reading.passedAt;
  reading.listener.sample(sample);
}
