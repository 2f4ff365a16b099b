import type { TakeLine } from './in-order.ts';
import { instantScanner } from './scan-instant.ts';

/** Who hears the lines of a log, in the order of the file. */
export interface ScannedLines {
  /** A line of the contract's form; the words are what follows the third field, from the space on. */
  readonly sample: TakeLine<string>;
  /** Any other line, without its end. */
  readonly other: (line: string) => void;
}

export interface LogScanner {
  /** The next bytes of the file. What comes after the last line's end is a torn line, of which nobody hears. */
  readonly push: (chunk: Uint8Array) => void;
}

/** `2026-11-20T10:00:00.203Z 200 0.012`: a start of 24 bytes, a status of 3, seconds with 3 decimals. */
const STATUS_AT = 25;
const SECONDS_AT = 29;
const [LINE_END, SPACE, POINT, ZERO] = [10, 32, 46, 48];
/** Seven digits of whole seconds are 115 days. */
const MOST_DIGITS = 7;
/** More than the three fields have: nearer than that to its end, a chunk is read from a copy that has room behind it. */
const ROOM = 64;
/** Longer than any line that this program writes: what is longer is no line of a log. */
const LONGEST_LINE = 16_384;

/** Pure. Reads a downtime log by its bytes: text is made only of what is not a plain sample. */
export function logScanner(lines: ScannedLines): LogScanner {
  const takeLine = lineTaker(lines);
  const takeCopy = (line: Uint8Array) => {
    if (line.length <= LONGEST_LINE) takeLine(Buffer.concat([line, Buffer.alloc(ROOM)]), 0);
  };
  let torn = Buffer.alloc(0);
  /** Ends the line that the last chunk began, and says where the next one begins; 0 where it does not end. */
  const mend = (bytes: Buffer) => {
    const start = bytes.indexOf(LINE_END) + 1;
    const end = start === 0 ? bytes : bytes.subarray(0, start);
    torn = torn.length > LONGEST_LINE ? torn : Buffer.concat([torn, end]);
    if (start > 0) takeCopy(torn);
    return start;
  };
  return {
    push: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = torn.length > 0 ? mend(bytes) : 0;
      if (torn.length > 0 && start === 0) return;
      const inPlace = bytes.lastIndexOf(LINE_END, Math.max(0, bytes.length - ROOM)) + 1;
      while (start < inPlace) start = takeLine(bytes, start);
      const left = bytes.subarray(start).toString('latin1').split('\n');
      torn = Buffer.from(left.pop() ?? '', 'latin1');
      for (const line of left) takeCopy(Buffer.from(`${line}\n`, 'latin1'));
    },
  };
}

/** Takes the line that begins there, and says where the next one does. */
function lineTaker({ sample, other }: ScannedLines): (bytes: Buffer, start: number) => number {
  const instant = instantScanner();
  const takeOther = (bytes: Buffer, start: number) => {
    const end = bytes.indexOf(LINE_END, start);
    other(bytes.toString('utf8', start, Math.min(end, start + LONGEST_LINE)));
    return end + 1;
  };
  return (bytes, start) => {
    const at = instant(bytes, start);
    const status = digits(bytes, start + STATUS_AT, 3);
    const point = endOfDigits(bytes, start + SECONDS_AT);
    const whole = digits(bytes, start + SECONDS_AT, point - start - SECONDS_AT);
    const millis = whole * 1000 + digits(bytes, point + 1, 3);
    const spaced = bytes[start + STATUS_AT - 1] === SPACE && bytes[start + SECONDS_AT - 1] === SPACE;
    if (!spaced || bytes[point] !== POINT || !(at + status + millis >= 0)) return takeOther(bytes, start);
    const next = bytes[point + 4];
    if (next === LINE_END) {
      sample(at, status, millis, '');
      return point + 5;
    }
    if (next !== SPACE) return takeOther(bytes, start);
    const end = bytes.indexOf(LINE_END, point + 4);
    sample(at, status, millis, bytes.toString('latin1', point + 4, Math.min(end, start + LONGEST_LINE)));
    return end + 1;
  };
}

function endOfDigits(bytes: Buffer, start: number): number {
  let end = start;
  while (end < start + MOST_DIGITS && isDigit(bytes[end])) end++;
  return end;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte < ZERO + 10;
}

/** NaN where something else than digits stands, or nothing. */
function digits(bytes: Buffer, start: number, count: number): number {
  let value = count === 0 ? Number.NaN : 0;
  for (let i = start; i < start + count; i++)
    value = isDigit(bytes[i]) ? value * 10 + (bytes[i] as number) - ZERO : Number.NaN;
  return value;
}
