import { threeDigits, twoDigits } from './scan-digits.ts';

const [COLON, POINT, LETTER_Z] = [58, 46, 90];

/**
 * Pure. Reads `2026-11-20T10:00:00.203Z` at a place in the bytes, of which the view is another sight, as epoch milliseconds; NaN where something
 * else stands. What is before the seconds is read only where it is not what it was the last time: sixteen bytes, compared as two numbers.
 */
export function instantScanner(): (bytes: Uint8Array, view: DataView, start: number) => number {
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
