/**
 * The bytes of a line such as `2026-11-20T10:00:00.203Z 200 0.012`: a start of 24 bytes, a status of 3, seconds with 3
 * decimals.
 */
export const statusOffset = 25;
export const secondsOffset = 29;
export const byte = {
  lineEnd: 10,
  carriageReturn: 13,
  space: 32,
  hash: 35,
  decimalPoint: 46,
  zero: 48,
  colon: 58,
  letterZ: 90,
} as const;
/** Seven digits of whole seconds are 115 days. */
const mostDigits = 7;

export function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The place of the decimal point, at most `mostDigits` behind the start. */
export function pointAfter(bytes: Buffer, start: number): number {
  let place = start + 1;
  while (bytes[place] !== byte.decimalPoint && place <= start + mostDigits) place++;
  return place;
}

/** NaN unless there are only digits before a point. */
export function wholeSeconds(bytes: Buffer, start: number, point: number): number {
  let value = bytes[point] === byte.decimalPoint ? 0 : Number.NaN;
  for (let place = start; place < point; place++) {
    const digit = (bytes[place] as number) - byte.zero;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

/** NaN unless two digits are there. */
function twoDigits(bytes: Uint8Array, start: number): number {
  const tens = (bytes[start] as number) - byte.zero;
  const ones = (bytes[start + 1] as number) - byte.zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** NaN unless three digits are there. */
export function threeDigits(bytes: Uint8Array, start: number): number {
  const hundreds = (bytes[start] as number) - byte.zero;
  return hundreds >= 0 && hundreds <= 9 ? hundreds * 100 + twoDigits(bytes, start + 1) : Number.NaN;
}

/**
 * Reads `2026-11-20T10:00:00.203Z` at a place in the bytes as epoch milliseconds; NaN if something else is there. The
 * view is of the same bytes.
 */
export function instantScanner(): (bytes: Uint8Array, view: DataView, start: number) => number {
  const minute = minuteReader();
  return (bytes, view, start) => {
    if (bytes[start + 23] !== byte.letterZ || bytes[start + 19] !== byte.decimalPoint) return Number.NaN;
    if (bytes[start + 16] !== byte.colon) return Number.NaN;
    return minuteAt(minute, bytes, view, start) + twoDigits(bytes, start + 17) * 1000 + threeDigits(bytes, start + 20);
  };
}

/** The minute that was read last; `at` is NaN if it was none. */
export interface MinuteReader {
  date: number;
  time: number;
  at: number;
  readonly parse: (bytes: Uint8Array, start: number) => number;
}

export const minuteReader = (): MinuteReader => ({
  date: Number.NaN,
  time: Number.NaN,
  at: Number.NaN,
  parse: minuteParser(),
});

/**
 * Reads `2026-11-20T10:00`, of 16 bytes: they are compared with those of the line before as two numbers, and parsed
 * only when they differ.
 */
export function minuteAt(minute: MinuteReader, bytes: Uint8Array, view: DataView, start: number): number {
  const date = view.getFloat64(start, true);
  const time = view.getFloat64(start + 8, true);
  if (date !== minute.date || time !== minute.time) {
    minute.date = date;
    minute.time = time;
    minute.at = minute.parse(bytes, start);
  }
  return minute.at;
}

const minuteMs = 60_000;

/** Only a new day is made text. */
function minuteParser(): (bytes: Uint8Array, start: number) => number {
  let day = '';
  let dayAt = Number.NaN;
  return (bytes, start) => {
    if (!isDay(bytes, start, day)) {
      day = String.fromCharCode(...bytes.subarray(start, start + 11));
      dayAt = /^\d{4}-\d\d-\d\dT$/.test(day) ? Date.parse(`${day}00:00Z`) : Number.NaN;
    }
    const [hours, minutes] = [twoDigits(bytes, start + 11), twoDigits(bytes, start + 14)];
    const isTime = bytes[start + 13] === byte.colon && hours < 24 && minutes < 60;
    return isTime ? dayAt + (hours * 60 + minutes) * minuteMs : Number.NaN;
  };
}

function isDay(bytes: Uint8Array, start: number, day: string): boolean {
  for (let index = day.length - 1; index >= 0; index--)
    if (bytes[start + index] !== day.charCodeAt(index)) return false;
  return day !== '';
}
