/**
 * What draws the lines at the cursor, in one write (ECMA-48), over those that were there. The cursor is left where the first line begins, so that a
 * terminal that wraps the lines anew in another width moves it with them: the next drawing begins in the right place, however wide
 * the terminal is by then. For the same reason each line takes one row whatever the width: what is longer is not wrapped (DECAWM).
 * Each line is overwritten before the rest of it is cleared, so that nothing flickers; where the terminal knows synchronized output
 * (private mode 2026) it shows the whole at once.
 */
export function redraw(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}${clearToLineEnd}`).join('\r\n');
  return `${begin}${wrapOff}\r${text}${clearBelow}\r${up(lines.length - 1)}${wrapOn}${end}`;
}

/**
 * What removes the lines that were drawn at the cursor, which stays. The first line is cleared before those below it: some terminals move a screen
 * that is cleared from its top into the scrollback.
 */
export const erase = (): string => `${begin}\r${clearLine}${save}${down}${clearBelow}${restore}${end}`;

const escapeByte = String.fromCharCode(0x1b);
const up = (rows: number): string => (rows > 0 ? `${escapeByte}[${rows}A` : '');
const down = `${escapeByte}[1B`;
const save = `${escapeByte}7`;
const restore = `${escapeByte}8`;
const clearLine = `${escapeByte}[2K`;
const clearToLineEnd = `${escapeByte}[K`;
const clearBelow = `${escapeByte}[J`;
const wrapOff = `${escapeByte}[?7l`;
const wrapOn = `${escapeByte}[?7h`;
const begin = `${escapeByte}[?2026h`;
const end = `${escapeByte}[?2026l`;
