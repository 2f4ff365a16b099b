/**
 * Makes text from outside safe to show: line breaks and tabs become spaces. Characters that control a terminal, that
 * override the writing direction or that XML 1.0 (section 2.2) does not allow become U+FFFD.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\t\n\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(unsafe, '\uFFFD');
}

/** Control characters, the overrides of UAX #9 (section 2), and the two noncharacters that XML refuses. */
const unsafe = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu;
