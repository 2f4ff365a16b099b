import { textWidth } from './text-width.ts';

/** A cell in words, and how they are painted once every column has its width. */
export interface PaintedCell {
  readonly words: string;
  readonly paint: (text: string) => string;
}
export type Cell = string | PaintedCell;

/**
 * Columns with two spaces between. Where they are wider than `width` together the widest wrap, so that a line is longer
 * only when the longest words of the columns are.
 */
export function table(rows: readonly (readonly Cell[])[], width = 80): string {
  const count = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, column) => rows.map((row) => wordsOf(row[column])));
  const widths = fit(columns, width - gap.length * (count - 1));
  return rows.map((row) => tableRow(row, widths)).join('\n');
}

/** Words on lines of at most that many columns; a word that is longer has a line of its own. */
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

/** The widest column gives way until all fit, none below its longest word. */
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

/** Nothing is padded after the last words of a line. */
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
