import { textWidth } from './text-width.ts';
import { words as wordsIn, wrap, wrapAll } from './wrap.ts';

/** A cell's text, and how to paint it after it was wrapped and padded. */
export interface PaintedCell {
  readonly words: string;
  readonly paint: (text: string) => string;
}
export type Cell = string | PaintedCell;

/**
 * How wide a table may be, and whether words that are longer than their column are broken (on a terminal) or stay
 * whole.
 */
export interface TableFit {
  readonly columns: number;
  readonly isBroken?: boolean | undefined;
  /** Whether the first row has the names of the columns, as one with a rule below it has. */
  readonly hasHeading?: boolean;
}

/** Instead of a row: a rule of dashes as long as the columns are wide. */
export const rule = Symbol('rule');
export type Row = readonly Cell[] | typeof rule;

/**
 * Aligned columns with two spaces between. If they are wider than the screen together, the widest wrap; a line is
 * longer only if the longest words of the columns do not fit and stay whole. On a terminal that is too narrow for them
 * a table with a heading has a line for each cell.
 */
export function table(rows: readonly Row[], given: TableFit = { columns: 80 }): string {
  const { columns: screen, isBroken = false, hasHeading = rows[1] === rule } = given;
  const cells = rows.filter((row) => row !== rule);
  const count = Math.max(...cells.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, column) => cells.map((row) => wordsOf(row[column])));
  const width = screen - gap.length * (count - 1);
  if (isBroken && hasHeading && sum(longestWords(columns)) > width) return lineByLine(cells, screen);
  const widths = fit(columns, width, isBroken);
  const wrapped = isBroken ? wrapAll : wrap;
  return rows.map((row) => (row === rule ? dashes(widths) : tableRow(row, widths, wrapped))).join('\n');
}

const gap = '  ';
const wordsOf = (cell: Cell | undefined): string => (typeof cell === 'object' ? cell.words : (cell ?? ''));

/**
 * Narrows the widest column until all fit; none below its longest word, unless words are broken and nothing else is
 * left.
 */
function fit(columns: readonly (readonly string[])[], width: number, isBroken: boolean): readonly number[] {
  const widths = columns.map((cells) => Math.max(...cells.map(textWidth)));
  const words = longestWords(columns);
  const narrowed = narrow(widths, words, width);
  const shortest = words.map((longest) => Math.min(longest, leastBroken));
  return isBroken ? narrow(narrowed, shortest, width) : narrowed;
}

const longestWords = (columns: readonly (readonly string[])[]): readonly number[] =>
  columns.map((cells) => Math.max(...cells.flatMap(wordsIn).map(textWidth)));

/** A column of broken words is not narrower. */
const leastBroken = 8;

function narrow(from: readonly number[], least: readonly number[], width: number): readonly number[] {
  const widths = [...from];
  for (let over = sum(widths) - width; over > 0; over--) {
    const spare = widths.map((own, column) => (own > (least[column] ?? 0) ? own : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const dashes = (widths: readonly number[]): string => widths.map((width) => '-'.repeat(width)).join(gap);

function tableRow(row: readonly Cell[], widths: readonly number[], wrapped: typeof wrap): string {
  const cells = widths.map((width, column) => wrapped(wordsOf(row[column]), width));
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

/** Each row as its first cell, and below it the others with the names of their columns. */
function lineByLine([heading = [], ...rows]: readonly (readonly Cell[])[], width: number): string {
  const cellLines = (cell: Cell, name: string): readonly string[] => {
    const [first = '', ...rest] = wrapAll(`${name}${wordsOf(cell)}`, Math.max(1, width - gap.length));
    const paint = typeof cell === 'object' ? cell.paint : (text: string) => text;
    return [`${name}${paint(first.slice(name.length))}`, ...rest.map(paint)].map((line) => `${gap}${line}`);
  };
  return rows
    .flatMap(([first = '', ...others]) => [
      ...wrapAll(wordsOf(first), width).map(typeof first === 'object' ? first.paint : (text) => text),
      ...others.flatMap((cell, index) =>
        wordsOf(cell) === '' ? [] : cellLines(cell, `${wordsOf(heading[index + 1])}: `),
      ),
    ])
    .join('\n');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
