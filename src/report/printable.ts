/**
 * Text from outside, safe to show anywhere: line breaks and tabs are spaces, and what could steer a terminal, turn the
 * direction of writing, or is no character of XML 1.0 (section 2.2) is U+FFFD.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\t\n\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(steering, '\uFFFD');
}

/** Control characters, the overrides of UAX #9 (section 2), and the two noncharacters that XML refuses. */
const steering = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu;
