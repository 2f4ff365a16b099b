import { stripVTControlCharacters } from 'node:util';
import { textWidth } from '../../report/text-width.ts';

/**
 * What puts the lines in the place of those that were drawn before, in one write (ECMA-48). The cursor is left at the end of the last line.
 * Each line is overwritten before the rest of it is cleared, so that nothing flickers; where the terminal knows synchronized output
 * (private mode 2026) it shows the whole at once.
 */
export function redraw(drawn: readonly string[], lines: readonly string[], columns: number): string {
  const text = lines.map((line) => `${line}${clearToLineEnd}`).join('\r\n');
  return `${begin}${toTop(drawn, columns)}${text}${clearBelow}${end}`;
}

/** What removes the lines that were drawn. The cursor is left where the first of them began. */
export function erase(drawn: readonly string[], columns: number): string {
  if (drawn.length === 0) return '';
  const rows = rowsIn(drawn, columns);
  // Line by line: some terminals move a screen that is cleared from its top into the scrollback.
  const cleared = Array.from({ length: rows }, () => clearLine).join(`${escapeByte}[1B`);
  return `${begin}${toTop(drawn, columns)}${cleared}${up(rows - 1)}${end}`;
}

function toTop(drawn: readonly string[], columns: number): string {
  return drawn.length === 0 ? '' : `\r${up(rowsIn(drawn, columns) - 1)}`;
}

const rowsIn = (drawn: readonly string[], columns: number): number =>
  drawn.reduce((sum, line) => sum + rowsOf(line, columns), 0);

/** A terminal that was made narrower has wrapped the lines that no longer fit. */
function rowsOf(line: string, columns: number): number {
  let rows = 1;
  let column = 0;
  for (const letter of stripVTControlCharacters(line)) {
    const width = textWidth(letter);
    // A wide character is never divided between two rows.
    if (column + width > columns) {
      rows += 1;
      column = 0;
    }
    column += width;
  }
  return rows;
}

const escapeByte = String.fromCharCode(0x1b);
const up = (rows: number): string => (rows > 0 ? `${escapeByte}[${rows}A` : '');
const clearLine = `${escapeByte}[2K`;
const clearToLineEnd = `${escapeByte}[K`;
const clearBelow = `${escapeByte}[J`;
const begin = `${escapeByte}[?2026h`;
const end = `${escapeByte}[?2026l`;
