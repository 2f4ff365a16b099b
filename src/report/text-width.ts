/** The width of a text in terminal columns: 0 for a combining mark, 2 for a wide character (UAX #11). */
export function textWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  return [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);
}

function letterWidth(letter: string): number {
  if (mark.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

const narrow = /^[ -~]*$/;
const mark = /[\p{M}\u200B-\u200D]/u;
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
