const [DASH, COLON, LETTER_T, POINT, LETTER_Z, ZERO] = [45, 58, 84, 46, 90, 48];
const [HOUR_MS, MINUTE_MS, SECOND_MS] = [3_600_000, 60_000, 1000];

/**
 * Pure. Reads `2026-11-20T10:00:00.203Z` at a place in the bytes as epoch milliseconds, NaN where something else stands. The calendar is asked
 * once a day of log.
 */
export function instantScanner(): (bytes: Uint8Array, start: number) => number {
  let knownDay = Number.NaN;
  let midnight = Number.NaN;
  return (bytes, start) => {
    if (!hasShape(bytes, start)) return Number.NaN;
    const day =
      two(bytes, start) * 1_000_000 +
      two(bytes, start + 2) * 10_000 +
      two(bytes, start + 5) * 100 +
      two(bytes, start + 8);
    if (day !== knownDay) {
      knownDay = day;
      midnight = midnightOf(day);
    }
    const millis =
      (bytes[start + 20] as number) * 100 +
      (bytes[start + 21] as number) * 10 +
      (bytes[start + 22] as number) -
      ZERO * 111;
    return (
      midnight +
      two(bytes, start + 11) * HOUR_MS +
      two(bytes, start + 14) * MINUTE_MS +
      two(bytes, start + 17) * SECOND_MS +
      millis
    );
  };
}

/** The separators are in their places; digits between them are taken for granted. */
function hasShape(bytes: Uint8Array, start: number): boolean {
  return (
    bytes[start + 23] === LETTER_Z &&
    bytes[start + 19] === POINT &&
    bytes[start + 16] === COLON &&
    bytes[start + 13] === COLON &&
    bytes[start + 10] === LETTER_T &&
    bytes[start + 7] === DASH &&
    bytes[start + 4] === DASH
  );
}

function two(bytes: Uint8Array, start: number): number {
  return (bytes[start] as number) * 10 + (bytes[start + 1] as number) - ZERO * 11;
}

function midnightOf(day: number): number {
  const [year, month, date] = [Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100];
  const at = Date.UTC(year, month - 1, date);
  return new Date(at).getUTCDate() === date ? at : Number.NaN;
}
