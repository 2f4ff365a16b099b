import { textWidth } from './text-width.ts';

/** A cell's text, and how to paint it after it was wrapped and padded. */
export interface PaintedCell {
  readonly words: string;
  readonly paint: (text: string) => string;
}
export type Cell = string | PaintedCell;

/**
 * Aligned columns with two spaces between. If they are wider than `width` together, the widest wrap; a line is longer only if the longest words
 * of the columns do not fit.
 */
export function table(rows: readonly (readonly Cell[])[], width = 80): string {
  const count = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, column) => rows.map((row) => wordsOf(row[column])));
  const widths = fit(columns, width - gap.length * (count - 1));
  return rows.map((row) => tableRow(row, widths)).join('\n');
}

/** Wraps text into lines of at most `width` terminal columns; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const gap = '  ';
const wordsOf = (cell: Cell | undefined): string => (typeof cell === 'object' ? cell.words : (cell ?? ''));

/** Narrows the widest column until all fit, but none below its longest word. */
function fit(columns: readonly (readonly string[])[], width: number): readonly number[] {
  const widths = columns.map((cells) => Math.max(...cells.map(textWidth)));
  const least = columns.map((cells) => Math.max(...cells.flatMap((cell) => cell.split(' ')).map(textWidth)));
  for (let over = sum(widths) - width; over > 0; over--) {
    const spare = widths.map((own, column) => (own > (least[column] ?? 0) ? own : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function tableRow(row: readonly Cell[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => wrap(wordsOf(row[column]), width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    tableLine(
      row,
      cells.map((lines) => lines[index] ?? ''),
      widths,
    ),
  ).join('\n');
}

/** Without trailing spaces. */
function tableLine(row: readonly Cell[], lines: readonly string[], widths: readonly number[]): string {
  const last = lines.findLastIndex((line) => line !== '');
  return lines
    .slice(0, last + 1)
    .map((line, column) => {
      const padding = column === last ? '' : ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(line)));
      const cell = row[column];
      return `${typeof cell === 'object' && line !== '' ? cell.paint(line) : line}${padding}`;
    })
    .join(gap);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
