import { emptySample, type LoggedSample } from './downtime-log.ts';

/** Receives the lines of a log, in the order of the file. */
export interface ScannedLines {
  /**
   * A sample as docs/contract.md, "The downtime log" has it. Its `extra` is not filled: the words are the text behind the third field, with the space
   * before it. The record is used again for the next line.
   */
  readonly sample: (sample: LoggedSample, words: string) => void;
  /** Any other line, without its line end (`\n` or `\r\n`). */
  readonly other: (line: string) => void;
}

export interface LogScanner {
  /** Takes the next bytes of the file. The text behind the last line end is a torn line and not passed on. */
  readonly push: (chunk: Uint8Array) => void;
}

/** `2026-11-20T10:00:00.203Z 200 0.012`: a start of 24 bytes, a status of 3, seconds with 3 decimals. */
const statusOffset = 25;
const secondsOffset = 29;
const [lineEnd, carriageReturn, space, decimalPoint, zero, colon, letterZ] = [10, 13, 32, 46, 48, 58, 90];
/** Seven digits of whole seconds are 115 days. */
const mostDigits = 7;
/** Longer than any line that `holdfast monitor` writes; the rest of a longer line is dropped. */
const longestLine = 16_384;

/** Splits a downtime log into lines and reads its samples from the bytes, without making text of a plain sample. */
export function logScanner(lines: ScannedLines): LogScanner {
  const takeLine = lineTaker(lines);
  /** The beginning of a line whose end has not come yet. */
  let begun = Buffer.alloc(0);
  const goOn = (bytes: Buffer) => {
    if (begun.length <= longestLine) begun = Buffer.concat([begun, bytes]);
  };
  return {
    push: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = bytes.indexOf(lineEnd) + 1;
      if (start === 0) return goOn(bytes);
      goOn(bytes.subarray(0, start));
      if (begun.at(-1) === lineEnd) takeLine(begun, viewOf(begun), 0);
      const end = bytes.lastIndexOf(lineEnd) + 1;
      const view = viewOf(bytes);
      while (start < end) start = takeLine(bytes, view, start);
      begun = Buffer.from(bytes.subarray(end));
    },
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Takes the line that begins at `start` and returns where the next one begins. */
function lineTaker({ sample, other }: ScannedLines): (bytes: Buffer, view: DataView, start: number) => number {
  const instant = instantScanner();
  const record = emptySample();
  const takeOther = (bytes: Buffer, start: number) => {
    const end = bytes.indexOf(lineEnd, start);
    other(bytes.toString('utf8', start, textEnd(bytes, start, end)));
    return end + 1;
  };
  return (bytes, view, start) => {
    const at = instant(bytes, view, start);
    const status = threeDigits(bytes, start + statusOffset);
    const point = pointAfter(bytes, start + secondsOffset);
    const millis = wholeSeconds(bytes, start + secondsOffset, point) * 1000 + threeDigits(bytes, point + 1);
    const spaced = bytes[start + statusOffset - 1] === space && bytes[start + secondsOffset - 1] === space;
    if (!spaced || !(at + status + millis >= 0)) return takeOther(bytes, start);
    const next = bytes[point + 4];
    if (next === lineEnd) {
      fill(record, at, status, millis);
      sample(record, '');
      return point + 5;
    }
    const end = bytes.indexOf(lineEnd, point + 4);
    const wordsEnd = textEnd(bytes, start, end);
    if (next !== space && wordsEnd !== point + 4) return takeOther(bytes, start);
    fill(record, at, status, millis);
    sample(record, bytes.toString('latin1', point + 4, wordsEnd));
    return end + 1;
  };
}

function fill(record: LoggedSample, at: number, status: number, millis: number): void {
  record.at = at;
  record.status = status;
  record.millis = millis;
}

/** Where the text of the line ends: without a carriage return before the line end, and not longer than the longest line. */
function textEnd(bytes: Buffer, start: number, end: number): number {
  const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
  return Math.min(last, start + longestLine);
}

/** The place of the decimal point, at most `mostDigits` behind the start. */
function pointAfter(bytes: Buffer, start: number): number {
  let place = start + 1;
  while (bytes[place] !== decimalPoint && place <= start + mostDigits) place++;
  return place;
}

/** NaN unless there are only digits before a point. */
function wholeSeconds(bytes: Buffer, start: number, point: number): number {
  let value = bytes[point] === decimalPoint ? 0 : Number.NaN;
  for (let place = start; place < point; place++) {
    const digit = (bytes[place] as number) - zero;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

/** NaN unless two digits are there. */
function twoDigits(bytes: Uint8Array, start: number): number {
  const tens = (bytes[start] as number) - zero;
  const ones = (bytes[start + 1] as number) - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** NaN unless three digits are there. */
function threeDigits(bytes: Uint8Array, start: number): number {
  const hundreds = (bytes[start] as number) - zero;
  return hundreds >= 0 && hundreds <= 9 ? hundreds * 100 + twoDigits(bytes, start + 1) : Number.NaN;
}

/**
 * Reads `2026-11-20T10:00:00.203Z` at a place in the bytes as epoch milliseconds; NaN if something else is there. The view is of the same bytes. The 16
 * bytes before the seconds are compared with those of the line before as two numbers, and parsed only when they differ.
 */
function instantScanner(): (bytes: Uint8Array, view: DataView, start: number) => number {
  let [date, time, minuteAt] = [Number.NaN, Number.NaN, Number.NaN];
  return (bytes, view, start) => {
    if (bytes[start + 23] !== letterZ || bytes[start + 19] !== decimalPoint || bytes[start + 16] !== colon)
      return Number.NaN;
    if (view.getFloat64(start) !== date || view.getFloat64(start + 8) !== time) {
      date = view.getFloat64(start);
      time = view.getFloat64(start + 8);
      minuteAt = minuteOf(String.fromCharCode(...bytes.subarray(start, start + 16)));
    }
    return minuteAt + twoDigits(bytes, start + 17) * 1000 + threeDigits(bytes, start + 20);
  };
}

function minuteOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN;
}
