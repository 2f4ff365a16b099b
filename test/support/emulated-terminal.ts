import { textWidth } from '../../src/report/text-width.ts';

/**
 * As much of a terminal as the live region uses (ECMA-48, DECAWM, DECSC): lines that wrap, and are wrapped anew with
 * another width, which moves the cursor with its letter. As in tmux 3.3a the window stays at the end of all rows, empty
 * ones too, and a cursor that is above it then is moved into its first row.
 */
export interface EmulatedTerminal {
  write(text: string): void;
  resize(columns: number): void;
  /** All rows that are not empty, also those above the window. */
  lines(): readonly string[];
  /** How many empty rows there are in the window below the last one with a letter. */
  below(): number;
}

interface Row {
  /** A wide letter has an empty cell after it. */
  cells: string[];
  /** Whether the next row goes on with the same line. */
  wraps: boolean;
}
interface Grid {
  columns: number;
  readonly height: number;
  /** At least as many as the window has; the window shows the last ones. */
  rows: Row[];
  row: number;
  column: number;
  isWrapping: boolean;
  saved: { readonly row: number; readonly column: number };
}

export function emulated(columns: number, height = 50): EmulatedTerminal {
  const start = { row: 0, column: 0 };
  const grid: Grid = { columns, height, rows: emptyRows(height), ...start, isWrapping: true, saved: start };
  return {
    write(text) {
      for (const [, number = '', letter = '', single, one] of text.matchAll(sequences)) {
        if (single !== undefined) saveOrRestore(grid, single);
        else if (one === undefined) control(grid, number, letter);
        else put(grid, one);
      }
    },
    resize: (to) => reflow(grid, to),
    lines: () => textsOf(grid).filter((text) => text !== ''),
    below: () => grid.rows.length - 1 - textsOf(grid).findLastIndex((text) => text !== ''),
  };
}

const textsOf = ({ rows }: Grid): readonly string[] => rows.map(({ cells }) => cells.join('').trimEnd());
const emptyRows = (count: number): Row[] =>
  Array.from({ length: Math.max(0, count) }, () => ({ cells: [], wraps: false }));
const topOf = ({ rows, height }: Grid): number => rows.length - height;

const escapeByte = String.fromCharCode(0x1b);
const sequences = new RegExp(`${escapeByte}\\[(\\??\\d*)([A-Za-z])|${escapeByte}([78])|([\\s\\S])`, 'gu');

function rowAt({ rows }: Grid, row: number): Row {
  const there = rows[row];
  if (there === undefined) throw new RangeError(`no row ${row}`);
  return there;
}

function saveOrRestore(grid: Grid, single: string): void {
  const top = topOf(grid);
  if (single === '7') grid.saved = { row: grid.row - top, column: grid.column };
  else Object.assign(grid, { row: grid.saved.row + top, column: grid.saved.column });
}

function put(grid: Grid, letter: string): void {
  if (letter === '\r') grid.column = 0;
  else if (letter === '\n') nextRow(grid);
  else write(grid, letter);
}

function nextRow(grid: Grid): void {
  grid.row += 1;
  if (grid.row === grid.rows.length) grid.rows.push(...emptyRows(1));
}

function write(grid: Grid, letter: string): void {
  const wide = textWidth(letter);
  if (grid.column + wide > grid.columns) {
    if (!grid.isWrapping) return;
    rowAt(grid, grid.row).wraps = true;
    nextRow(grid);
    grid.column = 0;
  }
  const { cells } = rowAt(grid, grid.row);
  while (cells.length < grid.column) cells.push(' ');
  cells.splice(grid.column, wide, letter, ...Array.from({ length: wide - 1 }, () => ''));
  grid.column += wide;
}

function control(grid: Grid, number: string, letter: string): void {
  const count = Number(number || 1);
  if (number === '?7') grid.isWrapping = letter === 'h';
  if (letter === 'A') grid.row = Math.max(topOf(grid), grid.row - count);
  if (letter === 'B') grid.row = Math.min(grid.rows.length - 1, grid.row + count);
  if (letter === 'K' || letter === 'J') clear(grid, number === '2' ? 0 : grid.column, letter === 'J');
}

function clear(grid: Grid, column: number, isAllBelow: boolean): void {
  clearRow(grid, grid.row, column);
  if (isAllBelow) for (let row = grid.row + 1; row < grid.rows.length; row++) clearRow(grid, row, 0);
}

/** A row that is cleared from a later column on is still wrapped, as far as tmux knows. */
function clearRow({ rows }: Grid, index: number, column: number): void {
  const [row, before] = [rows[index], rows[index - 1]];
  if (row === undefined) return;
  row.cells = row.cells.slice(0, column);
  if (column > 0) return;
  row.wraps = false;
  if (before !== undefined) before.wraps = false;
}

/** The lines in another width; the cursor stays at its letter. */
function reflow(grid: Grid, columns: number): void {
  const lines = wholeLines(grid);
  let cursor = { row: 0, column: 0 };
  Object.assign(grid, { columns, rows: [], row: -1, isWrapping: true });
  for (const { letters, cursorAt } of lines) {
    nextRow(grid);
    grid.column = 0;
    for (const letter of letters.slice(0, cursorAt)) write(grid, letter);
    if (cursorAt !== undefined) cursor = { row: grid.row, column: grid.column };
    for (const letter of letters.slice(cursorAt ?? letters.length)) write(grid, letter);
  }
  grid.rows.push(...emptyRows(grid.height - grid.rows.length));
  Object.assign(grid, cursor.row < topOf(grid) ? { row: topOf(grid), column: 0 } : cursor);
}

interface WholeLine {
  readonly letters: string[];
  /** Before which letter the cursor is; undefined for a line without it. */
  cursorAt?: number;
}

/** The rows as lines: those that the terminal has wrapped are one. */
function wholeLines({ rows, row: cursorRow, column }: Grid): readonly WholeLine[] {
  const lines: WholeLine[] = [];
  let isOpen = false;
  for (const [index, { cells, wraps }] of rows.entries()) {
    const line = (isOpen ? lines.at(-1) : undefined) ?? { letters: [] };
    if (!isOpen) lines.push(line);
    if (index === cursorRow) line.cursorAt = line.letters.length + lettersIn(cells.slice(0, column)).length;
    line.letters.push(...lettersIn(cells));
    isOpen = wraps;
  }
  return lines;
}

const lettersIn = (cells: readonly string[]): readonly string[] => cells.filter((cell) => cell !== '');
