import { byte } from './line-bytes.ts';

/**
 * `2026-11-20T10:00:00.203Z 200 0.012` and the line end: nearly every line of a log. Behind the minute it is read in
 * numbers of four bytes: `:00.`, `203Z`, ` 200`, ` 0.0` and `12\n`, the last two one byte apart.
 */
export const plainLineBytes = 35;

/** What the bytes have where each digit is 0. */
const wordOf = (text: string): number => Buffer.from(text).readInt32BE(0);
const zeros = {
  second: wordOf(':00.'),
  millisecond: wordOf('000Z'),
  whole: wordOf(' 0.0'),
  fraction: wordOf(`000${String.fromCharCode(byte.lineEnd)}`),
};

/** A status as it stands in a line: for `plainMillis`. */
export const statusWord = (status: number): number => wordOf(` ${String(status).padStart(3, '0')}`);

/**
 * The milliseconds of the minute in which the sample began; negative if its line is not plain. The line has to be
 * whole.
 */
export function millisOfMinute(view: DataView, start: number): number {
  const second = view.getInt32(start + 16) ^ zeros.second;
  const millisecond = view.getInt32(start + 20) ^ zeros.millisecond;
  const others = (second & 0xff0000ff) | (millisecond & 0xff) | notDigits(second) | notDigits(millisecond);
  return others === 0 ? (second >> 16) * 10_000 + ((second >> 8) & 0xff) * 1000 + three(millisecond) : -1;
}

/**
 * How long the answer took, whose status is that of the word; negative if the line is not plain or has another status.
 */
export function plainMillis(view: DataView, start: number, status: number): number {
  const whole = view.getInt32(start + 28) ^ zeros.whole;
  const fraction = view.getInt32(start + 31) ^ zeros.fraction;
  const others = (view.getInt32(start + 24) ^ status) | (whole & 0xff00ff00) | (fraction & 0xff);
  return (others | notDigits(whole) | notDigits(fraction)) === 0 ? (whole >> 16) * 1000 + three(fraction) : -1;
}

/** Whether it is the line of a sample on a kept connection, otherwise plain and with that status. */
export function isPlainKept(view: DataView, start: number, status: number): boolean {
  const whole = view.getInt32(start + 28) ^ zeros.whole;
  const fraction = (view.getInt32(start + 31) ^ zeros.fraction) & 0xffffff00;
  const others = (view.getInt32(start + 24) ^ status) | (whole & 0xff00ff00);
  return (others | notDigits(whole) | notDigits(fraction)) === 0 && endsKept(view, start + plainLineBytes - 1);
}

/**
 * Behind the third field of a sample on a kept connection, as its line mostly ends: in numbers of eight, eight and four
 * bytes, one byte twice.
 */
export const keptWords = ' connection=reused';
const keptEnd = Buffer.from(`${keptWords}\n`);
export const keptEndBytes = keptEnd.length;
const keptNumbers = {
  first: keptEnd.readDoubleBE(0),
  second: keptEnd.readDoubleBE(8),
  last: keptEnd.readInt32BE(keptEndBytes - 4),
};

/** Whether a line ends so from that place on. */
export const endsKept = (view: DataView, place: number): boolean =>
  place + keptEndBytes <= view.byteLength &&
  view.getFloat64(place) === keptNumbers.first &&
  view.getFloat64(place + 8) === keptNumbers.second &&
  view.getInt32(place + keptEndBytes - 4) === keptNumbers.last;

/** 0 if each of the four bytes is less than ten. */
const notDigits = (bytes: number): number => ((bytes + 0x76767676) | bytes) & 0x80808080;

const three = (digits: number): number => (digits >> 24) * 100 + ((digits >> 16) & 0xff) * 10 + ((digits >> 8) & 0xff);
