import { areDigits, byte, minuteScanner } from './line-bytes.ts';

/** `2026-11-20T10:00:00.203Z 200 0.012` and the line end: nearly every line of a log. */
const lineBytes = 35;

/** Reads a line of exactly that form and status, in numbers of four bytes; `next` is 0 if it has another one. The record is used again for the next line. */
export interface QuickLine {
  at: number;
  millis: number;
  /** Where the next line begins. */
  next: number;
}
export type ReadQuickLine = (bytes: Buffer, view: DataView, start: number) => QuickLine;

/** `:00.`, `203Z`, ` 200`, ` 0.0` and `12\n` lie behind the minute, the last two one byte apart. */
export function quickLineReader(expect: number): ReadQuickLine {
  const minute = minuteScanner();
  const expected = Buffer.from(` ${String(expect).padStart(3, '0')}`).readInt32BE(0);
  const line: QuickLine = { at: 0, millis: 0, next: 0 };
  return (bytes, view, start) => {
    line.next = 0;
    if (start + lineBytes > bytes.length || view.getInt32(start + 24) !== expected) return line;
    const second = view.getInt32(start + 16) ^ zeros.second;
    const millisecond = view.getInt32(start + 20) ^ zeros.millisecond;
    const whole = view.getInt32(start + 28) ^ zeros.whole;
    const fraction = view.getInt32(start + 31) ^ zeros.fraction;
    const isPlain =
      (second & 0xff0000ff) === 0 &&
      (millisecond & 0xff) === 0 &&
      (whole & 0xff00ff00) === 0 &&
      (fraction & 0xff) === 0;
    if (!isPlain || !areDigits(second, 0x00ffff00) || !areDigits(whole, 0x00ff00ff)) return line;
    if (!areDigits(millisecond, 0xffffff00) || !areDigits(fraction, 0xffffff00)) return line;
    line.at = minute(bytes, view, start) + ((second >>> 16) * 10 + ((second >>> 8) & 0xff)) * 1000 + three(millisecond);
    line.millis = ((whole >>> 16) & 0xff) * 1000 + three(fraction);
    line.next = start + lineBytes;
    return line;
  };
}

/** What the bytes have where each digit is 0. */
const wordOf = (text: string): number => Buffer.from(text).readInt32BE(0);
const zeros = {
  second: wordOf(':00.'),
  millisecond: wordOf('000Z'),
  whole: wordOf(' 0.0'),
  fraction: wordOf(`000${String.fromCharCode(byte.lineEnd)}`),
};

const three = (digits: number): number =>
  (digits >>> 24) * 100 + ((digits >>> 16) & 0xff) * 10 + ((digits >>> 8) & 0xff);
