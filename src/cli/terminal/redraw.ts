/**
 * What draws the lines in the last rows of the window, in one write (ECMA-48). The cursor is left where the region begins: under the text that
 * stays, with empty rows between. A terminal that wraps the lines anew in another width moves the cursor with its letter, so that the next
 * drawing begins in the right place, however wide the terminal is by then; where they need more rows and push the upper ones out of the window, those are empty. For the
 * same reason each line takes one row whatever the width: what is longer is not wrapped (DECAWM). Only where the lines are in other rows than
 * before (`isMoved`) the region is cleared first, else each line is overwritten before the rest of it is cleared, so that nothing flickers;
 * where the terminal knows synchronized output (private mode 2026) it shows the whole at once.
 */
export function redraw(lines: readonly string[], isMoved: boolean): string {
  const above = lines.length - 1;
  const room = `${'\n'.repeat(above)}${up(above)}`;
  const text = lines.map((line) => `${line}${clearToLineEnd}`).join('\r\n');
  return `${begin}${wrapOff}\r${room}${save}${isMoved ? clear : ''}${bottom}\r${up(above)}${text}${restore}${wrapOn}${end}`;
}

/** What removes all that was drawn below the cursor, which stays. */
export const erase = (): string => `${begin}\r${save}${clear}${restore}${end}`;

const escapeByte = String.fromCharCode(0x1b);
const up = (rows: number): string => (rows > 0 ? `${escapeByte}[${rows}A` : '');
const down = `${escapeByte}[1B`;
/** A cursor that is moved further stops in the last row. */
const bottom = `${escapeByte}[9999B`;
const save = `${escapeByte}7`;
const restore = `${escapeByte}8`;
const clearLine = `${escapeByte}[2K`;
const clearToLineEnd = `${escapeByte}[K`;
const clearBelow = `${escapeByte}[J`;
/** The first row is cleared before those below it: some terminals move a screen that is cleared from its top into the scrollback. */
const clear = `${clearLine}${down}${clearBelow}`;
const wrapOff = `${escapeByte}[?7l`;
const wrapOn = `${escapeByte}[?7h`;
const begin = `${escapeByte}[?2026h`;
const end = `${escapeByte}[?2026l`;
