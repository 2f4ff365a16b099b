import type { TakeLine } from './downtime-log.ts';

/** Who hears the lines of a log, in the order of the file. */
export interface ScannedLines {
  /** A line of the contract's form; the words are what follows the third field, from the space on. */
  readonly sample: TakeLine<string>;
  /** Any other line, without its end, whichever system's that is. */
  readonly other: (line: string) => void;
}

export interface LogScanner {
  /** The next bytes of the file. What comes after the last line's end is a torn line, of which nobody hears. */
  readonly push: (chunk: Uint8Array) => void;
}

/** `2026-11-20T10:00:00.203Z 200 0.012`: a start of 24 bytes, a status of 3, seconds with 3 decimals. */
const STATUS_AT = 25;
const SECONDS_AT = 29;
const [LINE_END, RETURN, SPACE, POINT, ZERO, COLON, LETTER_Z] = [10, 13, 32, 46, 48, 58, 90];
/** Seven digits of whole seconds are 115 days. */
const MOST_DIGITS = 7;
/** Longer than any line that this program writes: what is longer is no line of a log. */
const LONGEST_LINE = 16_384;

/** Pure. Reads a downtime log by its bytes: text is made only of what is not a plain sample. */
export function logScanner(lines: ScannedLines): LogScanner {
  const takeLine = lineTaker(lines);
  /** What has come of a line whose end has not. */
  let begun = Buffer.alloc(0);
  const goOn = (bytes: Buffer) => {
    if (begun.length <= LONGEST_LINE) begun = Buffer.concat([begun, bytes]);
  };
  return {
    push: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = bytes.indexOf(LINE_END) + 1;
      if (start === 0) return goOn(bytes);
      goOn(bytes.subarray(0, start));
      if (begun.at(-1) === LINE_END) takeLine(begun, viewOf(begun), 0);
      const end = bytes.lastIndexOf(LINE_END) + 1;
      const view = viewOf(bytes);
      while (start < end) start = takeLine(bytes, view, start);
      begun = Buffer.from(bytes.subarray(end));
    },
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Takes the line that begins there, and says where the next one does. */
function lineTaker({ sample, other }: ScannedLines): (bytes: Buffer, view: DataView, start: number) => number {
  const instant = instantScanner();
  const takeOther = (bytes: Buffer, start: number) => {
    const end = bytes.indexOf(LINE_END, start);
    other(bytes.toString('utf8', start, textEnd(bytes, start, end)));
    return end + 1;
  };
  return (bytes, view, start) => {
    const at = instant(bytes, view, start);
    const status = threeDigits(bytes, start + STATUS_AT);
    const point = pointAfter(bytes, start + SECONDS_AT);
    const millis = wholeSeconds(bytes, start + SECONDS_AT, point) * 1000 + threeDigits(bytes, point + 1);
    const spaced = bytes[start + STATUS_AT - 1] === SPACE && bytes[start + SECONDS_AT - 1] === SPACE;
    if (!spaced || !(at + status + millis >= 0)) return takeOther(bytes, start);
    const next = bytes[point + 4];
    if (next === LINE_END) {
      sample(at, status, millis, '');
      return point + 5;
    }
    const end = bytes.indexOf(LINE_END, point + 4);
    const wordsEnd = textEnd(bytes, start, end);
    if (next !== SPACE && wordsEnd !== point + 4) return takeOther(bytes, start);
    sample(at, status, millis, bytes.toString('latin1', point + 4, wordsEnd));
    return end + 1;
  };
}

/** Where the text of the line ends: a return before its end is none of it, nor what is too long. */
function textEnd(bytes: Buffer, start: number, end: number): number {
  const last = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
  return Math.min(last, start + LONGEST_LINE);
}

/** Where the decimal point stands, not further than seconds go. */
function pointAfter(bytes: Buffer, start: number): number {
  let place = start + 1;
  while (bytes[place] !== POINT && place <= start + MOST_DIGITS) place++;
  return place;
}

/** NaN where something else than digits stands, or no point behind them. */
function wholeSeconds(bytes: Buffer, start: number, point: number): number {
  let value = bytes[point] === POINT ? 0 : Number.NaN;
  for (let place = start; place < point; place++) {
    const digit = (bytes[place] as number) - ZERO;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

/** Pure. The two digits at a place in the bytes; NaN where something else stands, or nothing. */
function twoDigits(bytes: Uint8Array, start: number): number {
  const tens = (bytes[start] as number) - ZERO;
  const ones = (bytes[start + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** The same of three. */
function threeDigits(bytes: Uint8Array, start: number): number {
  const hundreds = (bytes[start] as number) - ZERO;
  return hundreds >= 0 && hundreds <= 9 ? hundreds * 100 + twoDigits(bytes, start + 1) : Number.NaN;
}

/**
 * Pure. Reads `2026-11-20T10:00:00.203Z` at a place in the bytes, of which the view is another sight, as epoch milliseconds; NaN where something
 * else stands. What is before the seconds is read only where it is not what it was the last time: sixteen bytes, compared as two numbers.
 */
function instantScanner(): (bytes: Uint8Array, view: DataView, start: number) => number {
  let [date, time, minuteAt] = [Number.NaN, Number.NaN, Number.NaN];
  return (bytes, view, start) => {
    if (bytes[start + 23] !== LETTER_Z || bytes[start + 19] !== POINT || bytes[start + 16] !== COLON) return Number.NaN;
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
