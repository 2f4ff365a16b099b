/**
 * The text so that a terminal shows all of it and obeys nothing in it but colours: control characters, and those that
 * turn the direction of writing (UAX 9), become the six characters by which JSON writes them, so that a document stays
 * the same document. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(commands, (found) => (isColor(found) ? found : [...found].map(escaped).join('')));
}

const escapeByte = String.fromCharCode(0x1b);
/** A colour as `styleText` of Node.js writes it, or one character. */
const commands = new RegExp(
  `${escapeByte}\\[\\d{1,2}m|[[\\p{Cc}\\u061C\\u202A-\\u202E\\u2066-\\u2069]--[\\n\\t]]`,
  'gv',
);
/** Bold, faint, the basic colours, and their ends (ECMA-48, SGR): none of them hides a text. */
const colors = new Set([1, 2, 22, 31, 32, 33, 34, 35, 36, 39, 90].map((code) => `${escapeByte}[${code}m`));

const isColor = (found: string): boolean => colors.has(found);

/** A command is no longer one without its first character. */
function escaped(character: string): string {
  return /[\p{Cc}\u061C\u202A-\u202E\u2066-\u2069]/u.test(character)
    ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    : character;
}

/** A text from outside on one line: a line break in it would make a line that looks like ours. */
export const oneLine = (text: string): string => text.replaceAll(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ').trim();
