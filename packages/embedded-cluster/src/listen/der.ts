/** A value in DER (ITU-T X.690): tag, length, contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

/** X.690, 8.1.3: one byte below 128, else the number of bytes that follow, and these. */
function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => der(0x30, ...items);
export const setOf = (item: Uint8Array): Buffer => der(0x31, item);
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
export const text = (value: string): Buffer => der(0x0c, Buffer.from(value));

/** A non-negative INTEGER, most significant byte first. */
export const integer = (bytes: Uint8Array): Buffer =>
  der(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.from([0, ...bytes]));

export const bits = (bytes: Uint8Array, unusedBits = 0): Buffer => der(0x03, Buffer.from([unusedBits]), bytes);

/**
 * An OBJECT IDENTIFIER such as `1.2.840.10045.4.3.2` (X.690, 8.19): seven bits in each byte, the first two numbers in
 * one.
 */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([40 * first + second, ...rest].flatMap(base128)));
}

function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift(0x80 | (left & 0x7f));
  return bytes;
}

/**
 * UTCTime with two digits of the year through 2049, GeneralizedTime with four after (RFC 5280, 4.1.2.5). Epoch
 * milliseconds.
 */
export function time(at: number): Buffer {
  const digits = `${new Date(at).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}
