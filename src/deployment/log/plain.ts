/**
 * The text without escape sequences and control characters except the tab; a carriage return and every other line
 * separator become `\n`.
 */
export function plain(text: string): string {
  return text.replace(escapeSequence, '').replace(lineEnd, '\n').replace(invisible, '');
}

/** Each line indented by two spaces; empty for an empty text. */
export function indented(text: string): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `  ${line}\n`).join('');
}

const escapeByte = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
/** ECMA-48: control sequences, operating system commands up to their terminator, and two-character sequences. */
const escapeSequence = new RegExp(
  `${escapeByte}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${escapeByte}\n]*(?:${bell}|${escapeByte}\\\\)?|[^\\n])`,
  'g',
);
/** Unicode's mandatory breaks (UAX 14): no viewer may see a line begin where the log has none. */
const lineEnd = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Control characters, and those that reverse the direction of text (UAX 9). */
const invisible = /[[\p{Cc}\p{Bidi_Control}]--[\n\t]]/gv;
