import { UsageError } from '../../host/errors.ts';
import { type CurlCollector, curlCollector } from './curl-collector.ts';
import {
  areOurs,
  type LineExtra,
  type LogHeader,
  type LogListener,
  parseExtra,
  parseHeader,
  USUAL_HEADER,
} from './downtime-log.ts';
import { type LogFact, parseFact } from './log-facts.ts';
import { logScanner } from './log-scanner.ts';
import { type InOrder, inOrder } from './reorder-buffer.ts';

export interface LogReader {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => void;
}

/** Lines may be written late by this much more than the timeout before they are taken for those of another clock. */
const TOLERANCE_MS = 2000;
/** Samples with phases behind them are each different; the others are few. */
const MOST_KNOWN_EXTRAS = 4096;

interface Reading {
  readonly listener: LogListener;
  readonly extras: Map<string, LineExtra | undefined>;
  /** Absent before the first header. */
  order: InOrder<LineExtra> | undefined;
  /** The part's own: nobody knows whose samples are those of a named target. */
  lacksHeader: boolean;
  /** No line of the part came yet: its clock may be right again. */
  begins: boolean;
  timeoutMs: number;
  shiftMs: number;
  passedAt: number;
}

/** Reads a log of ours (contract section 3) or of a curl loop, piece by piece, in one pass. A torn or unknown line is passed over. */
export function logReader(listener: LogListener): LogReader {
  const reading: Reading = {
    listener,
    extras: new Map(),
    order: undefined,
    lacksHeader: false,
    begins: false,
    timeoutMs: 0,
    shiftMs: 0,
    passedAt: Number.NEGATIVE_INFINITY,
  };
  const curl = curlCollector({
    part: listener.part,
    line: (at, status, millis, extra) => pass(reading, shifted(reading, at), status, millis, extra),
  });
  const scanner = logScanner({
    sample: (at, status, millis, words) => {
      if (reading.order === undefined && areOurs(words)) beginWithoutHeader(reading, curl);
      if (reading.order === undefined) curl.sample({ at, fine: true, result: { status, millis } });
      else takeSample(reading, reading.order, at, status, millis, words);
    },
    other: (line) => {
      const header = parseHeader(line);
      if (header !== undefined) {
        curl.end();
        beginPart(reading, header);
      } else if (line.startsWith('#')) takeFact(reading, parseFact(line), curl);
      else if (reading.order === undefined) curl.line(line);
    },
  });
  return {
    push: scanner.push,
    end: () => {
      curl.end();
      reading.order?.flush();
    },
  };
}

function beginPart(reading: Reading, header: NonNullable<ReturnType<typeof parseHeader>>): void {
  if ('version' in header) {
    throw new UsageError([`the log is of version ${header.version}, which this version of holdfast cannot read`]);
  }
  beginOurs(reading, header);
}

/** The beginning of the log was cut away, by a rotation perhaps: what only a monitor of ours writes is read by the usual settings. */
function beginWithoutHeader(reading: Reading, curl: CurlCollector): void {
  const held = curl.takeBack();
  beginOurs(reading, USUAL_HEADER);
  reading.lacksHeader = true;
  for (const { at, result } of held) {
    if (result !== undefined) reading.order?.push(shifted(reading, at), result.status, result.millis, PLAIN);
  }
}

function beginOurs(reading: Reading, header: LogHeader): void {
  reading.order?.flush();
  reading.lacksHeader = false;
  reading.begins = true;
  reading.order = inOrder(header.timeoutSeconds, (at, status, millis, extra) =>
    pass(reading, at, status, millis, extra),
  );
  reading.timeoutMs = header.timeoutSeconds * 1000;
  reading.listener.part({ ...header, format: 'holdfast', resolutionSeconds: 0 });
}

function takeSample(
  reading: Reading,
  order: InOrder<LineExtra>,
  at: number,
  status: number,
  millis: number,
  words: string,
): void {
  const extra = words === '' ? PLAIN : extraOf(reading, words);
  if (extra !== undefined) order.push(shifted(reading, at), status, millis, extra);
}

const PLAIN: LineExtra = { connection: 'new' };

function extraOf({ extras, lacksHeader }: Reading, words: string): LineExtra | undefined {
  if (extras.has(words)) return extras.get(words);
  if (extras.size >= MOST_KNOWN_EXTRAS) extras.clear();
  const extra = parseExtra(words);
  if (lacksHeader) refuseTarget(extra?.target);
  extras.set(words, extra);
  return extra;
}

/** It may be the control target's, or not the first one's: without the header there is no saying what counts. */
function refuseTarget(target: string | undefined): void {
  if (target !== undefined)
    throw new UsageError([`the log names the target ${target}, and its header, which says what that is, is missing`]);
}

/** How far the API server's clock is ahead is noted in a copy of a curl loop's log as well. */
function takeFact(reading: Reading, fact: LogFact | undefined, curl: CurlCollector): void {
  if (fact !== undefined && fact.type !== 'clock-offset' && reading.order === undefined)
    beginWithoutHeader(reading, curl);
  if (fact?.type === 'clock-step') {
    reading.shiftMs += Math.max(0, -fact.seconds * 1000);
    reading.listener.clockStep(fact.seconds);
  } else if (fact?.type === 'stall') {
    const from = shifted(reading, fact.from);
    reading.listener.stall(from, from + fact.seconds * 1000);
  } else if (fact?.type === 'missed') {
    reading.order?.push(shifted(reading, fact.from), 0, 0, { connection: 'new', unknownTicks: fact.ticks });
  } else if (fact?.type === 'unknown') {
    const { from, connection, target } = fact;
    if (reading.lacksHeader) refuseTarget(target);
    const whose = target === undefined ? { connection } : { connection, target };
    reading.order?.push(shifted(reading, from), 0, 0, { ...whose, unknownTicks: 1 });
  }
}

/** A clock that was set back without a word of it shows as a line from long ago. */
function shifted(reading: Reading, at: number): number {
  if (reading.begins) {
    reading.begins = false;
    if (at > reading.passedAt) reading.shiftMs = 0;
  }
  const back = reading.passedAt - (at + reading.shiftMs);
  if (back > reading.timeoutMs + TOLERANCE_MS) reading.shiftMs += back;
  return at + reading.shiftMs;
}

function pass(reading: Reading, at: number, status: number, millis: number, extra: LineExtra): void {
  if (at > reading.passedAt) reading.passedAt = at;
  reading.listener.line(reading.passedAt, status, millis, extra);
}
