import { textWidth } from '../../src/report/text-width.ts';

/**
 * As much of a terminal as the live region uses (ECMA-48, DECAWM, DECSC): lines that wrap, and are wrapped anew with another width, which moves the
 * cursor with its letter, as tmux and the terminals of VTE do.
 */
export interface EmulatedTerminal {
  write(text: string): void;
  resize(columns: number): void;
  lines(): readonly string[];
}

interface Row {
  /** A wide letter has an empty cell after it. */
  cells: string[];
  /** Whether the next row goes on with the same line. */
  wraps: boolean;
}
interface Grid {
  columns: number;
  rows: Row[];
  row: number;
  column: number;
  isWrapping: boolean;
  saved: { readonly row: number; readonly column: number };
}

export function emulated(columns: number): EmulatedTerminal {
  const grid: Grid = { columns, rows: [], row: 0, column: 0, isWrapping: true, saved: { row: 0, column: 0 } };
  return {
    write(text) {
      for (const [, number = '', letter = '', single, one] of text.matchAll(sequences)) {
        if (single !== undefined) saveOrRestore(grid, single);
        else if (one === undefined) control(grid, number, letter);
        else put(grid, one);
      }
    },
    resize: (to) => reflow(grid, to),
    lines() {
      const texts = Array.from(grid.rows, (row) => (row?.cells ?? []).join('').trimEnd());
      return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
    },
  };
}

const escapeByte = String.fromCharCode(0x1b);
const sequences = new RegExp(`${escapeByte}\\[(\\??\\d*)([A-Za-z])|${escapeByte}([78])|([\\s\\S])`, 'gu');

function rowAt(grid: Grid, row: number): Row {
  const there = grid.rows[row] ?? { cells: [], wraps: false };
  grid.rows[row] = there;
  return there;
}

function saveOrRestore(grid: Grid, single: string): void {
  if (single === '7') grid.saved = { row: grid.row, column: grid.column };
  else Object.assign(grid, grid.saved);
}

function put(grid: Grid, letter: string): void {
  if (letter === '\r') grid.column = 0;
  else if (letter === '\n') {
    rowAt(grid, grid.row).wraps = false;
    grid.row += 1;
    rowAt(grid, grid.row);
  } else write(grid, letter);
}

function write(grid: Grid, letter: string): void {
  const wide = textWidth(letter);
  if (grid.column + wide > grid.columns) {
    if (!grid.isWrapping) return;
    rowAt(grid, grid.row).wraps = true;
    grid.row += 1;
    grid.column = 0;
  }
  const { cells } = rowAt(grid, grid.row);
  while (cells.length < grid.column) cells.push(' ');
  cells.splice(grid.column, wide, letter, ...Array.from({ length: wide - 1 }, () => ''));
  grid.column += wide;
}

function control(grid: Grid, number: string, letter: string): void {
  if (number === '?7') grid.isWrapping = letter === 'h';
  if (letter === 'A') grid.row = Math.max(0, grid.row - Number(number || 1));
  if (letter === 'B') grid.row += Number(number || 1);
  if (letter !== 'K' && letter !== 'J') return;
  const row = rowAt(grid, grid.row);
  row.cells = number === '2' ? [] : row.cells.slice(0, grid.column);
  row.wraps = false;
  if (letter === 'J') grid.rows.length = grid.row + 1;
}

/** The lines in another width; the cursor stays at its letter. */
function reflow(grid: Grid, columns: number): void {
  const lines = wholeLines(grid);
  let cursor = { row: 0, column: 0 };
  Object.assign(grid, { columns, rows: [], row: 0, column: 0 });
  for (const { letters, cursorAt } of lines) {
    rowAt(grid, grid.row);
    for (const letter of letters.slice(0, cursorAt)) write(grid, letter);
    if (cursorAt !== undefined) cursor = { row: grid.row, column: grid.column };
    for (const letter of letters.slice(cursorAt ?? letters.length)) write(grid, letter);
    grid.row += 1;
    grid.column = 0;
  }
  Object.assign(grid, cursor);
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
  for (const [index, { cells, wraps }] of Array.from(rows, (row) => row ?? { cells: [], wraps: false }).entries()) {
    const line = (isOpen ? lines.at(-1) : undefined) ?? { letters: [] };
    if (!isOpen) lines.push(line);
    if (index === cursorRow) line.cursorAt = line.letters.length + lettersIn(cells.slice(0, column)).length;
    line.letters.push(...lettersIn(cells));
    isOpen = wraps;
  }
  return lines;
}

const lettersIn = (cells: readonly string[]): readonly string[] => cells.filter((cell) => cell !== '');
