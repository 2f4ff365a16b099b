const ZERO = 48;

/** Pure. The two digits at a place in the bytes; NaN where something else stands, or nothing. */
export function twoDigits(bytes: Uint8Array, start: number): number {
  const tens = (bytes[start] as number) - ZERO;
  const ones = (bytes[start + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** The same of three. */
export function threeDigits(bytes: Uint8Array, start: number): number {
  const hundreds = (bytes[start] as number) - ZERO;
  return hundreds >= 0 && hundreds <= 9 ? hundreds * 100 + twoDigits(bytes, start + 1) : Number.NaN;
}
