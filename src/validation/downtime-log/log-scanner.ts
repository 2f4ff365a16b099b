import { emptySample, type LoggedSample } from './downtime-log.ts';
import {
  byte,
  instantScanner,
  pointAfter,
  secondsOffset,
  statusOffset,
  threeDigits,
  viewOf,
  wholeSeconds,
} from './line-bytes.ts';
import { endsKept, keptEndBytes, keptWords } from './plain-line.ts';

/** Receives the lines of a log, in the order of the file. */
export interface ScannedLines {
  /**
   * A sample as docs/contract.md, "The downtime log" has it. Its `extra` is not filled: the words are the text behind
   * the third field, with the space before it. The record is used again for the next line.
   */
  readonly sample: (sample: LoggedSample, words: string) => void;
  /** Any other line, without its line end (`\n` or `\r\n`). */
  readonly other: (line: string) => void;
}

export interface LogScanner {
  /** Takes the next bytes of the file. The text behind the last line end is a torn line and not passed on. */
  readonly push: (chunk: Uint8Array) => void;
  /** Drops the line of which only the beginning has come. */
  readonly endFile: () => void;
}

/** Longer than any sample that `holdfast monitor` writes; the rest of a longer line is dropped. */
const longestLine = 16_384;
/** The settings in the first line name every target: there may be tens of thousands of them. */
const longestHeader = 4 * 1024 * 1024;

const none = Buffer.alloc(0);

/** Splits a downtime log into lines and reads its samples from the bytes, without making text of a plain sample. */
export function logScanner(lines: ScannedLines): LogScanner {
  const takeLine = lineTaker(lines);
  /** The beginning of a line whose end has not come yet. */
  let begun = none;
  const goOn = (bytes: Buffer) => {
    const longest = isOfMonitor(begun, 0) ? longestHeader : longestLine;
    if (begun.length <= longest) begun = Buffer.concat([begun, bytes]);
  };
  /** Takes the line that has begun, and returns where the next one begins. */
  const finish = (bytes: Buffer) => {
    const start = bytes.indexOf(byte.lineEnd) + 1;
    goOn(bytes.subarray(0, start));
    if (begun.at(-1) === byte.lineEnd) takeLine(begun, viewOf(begun), 0);
    return start;
  };
  return {
    push: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const end = bytes.lastIndexOf(byte.lineEnd) + 1;
      if (end === 0) return goOn(bytes);
      let start = begun.length === 0 ? 0 : finish(bytes);
      const view = viewOf(bytes);
      while (start < end) start = takeLine(bytes, view, start);
      begun = end === bytes.length ? none : Buffer.from(bytes.subarray(end));
    },
    endFile: () => {
      begun = none;
    },
  };
}

/** Takes the line that begins at `start` and returns where the next one begins. */
function lineTaker({ sample, other }: ScannedLines): (bytes: Buffer, view: DataView, start: number) => number {
  const instant = instantScanner();
  const record = emptySample();
  const takeOther = (bytes: Buffer, start: number) => {
    const end = bytes.indexOf(byte.lineEnd, start);
    other(bytes.toString('utf8', start, textEnd(bytes, start, end)));
    return end + 1;
  };
  /** The line has a sample, which fills the record, and something behind it. */
  const takeWords = (bytes: Buffer, view: DataView, start: number, place: number) => {
    if (endsKept(view, place)) {
      sample(record, keptWords);
      return place + keptEndBytes;
    }
    const end = bytes.indexOf(byte.lineEnd, place);
    const wordsEnd = textEnd(bytes, start, end);
    if (bytes[place] !== byte.space && wordsEnd !== place) return takeOther(bytes, start);
    sample(record, bytes.toString('latin1', place, wordsEnd));
    return end + 1;
  };
  return (bytes, view, start) => {
    const at = instant(bytes, view, start);
    const status = threeDigits(bytes, start + statusOffset);
    const point = pointAfter(bytes, start + secondsOffset);
    const millis = wholeSeconds(bytes, start + secondsOffset, point) * 1000 + threeDigits(bytes, point + 1);
    const spaced = bytes[start + statusOffset - 1] === byte.space && bytes[start + secondsOffset - 1] === byte.space;
    if (!spaced || !(at + status + millis >= 0)) return takeOther(bytes, start);
    fill(record, at, status, millis);
    if (bytes[point + 4] !== byte.lineEnd) return takeWords(bytes, view, start, point + 4);
    sample(record, '');
    return point + 5;
  };
}

function fill(record: LoggedSample, at: number, status: number, millis: number): void {
  record.at = at;
  record.status = status;
  record.millis = millis;
}

/** A `#` line, which is no sample. */
const isOfMonitor = (bytes: Buffer, start: number): boolean => bytes[start] === byte.hash;

/**
 * Where the text of the line ends: without a carriage return before the line end, and not longer than the longest line.
 */
function textEnd(bytes: Buffer, start: number, end: number): number {
  const last = end > start && bytes[end - 1] === byte.carriageReturn ? end - 1 : end;
  return Math.min(last, start + (isOfMonitor(bytes, start) ? longestHeader : longestLine));
}
