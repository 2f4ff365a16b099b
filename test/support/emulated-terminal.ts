import { textWidth } from '../../src/report/text-width.ts';

/** As much of a terminal as the live region uses (ECMA-48): lines that wrap and are wrapped anew with the width, and a cursor. */
export interface EmulatedTerminal {
  write(text: string): void;
  /** The cursor stays at the end of the last line, as where the lines were drawn. */
  resize(columns: number): void;
  lines(): readonly string[];
}

interface Grid {
  columns: number;
  rows: string[][];
  row: number;
  column: number;
}

export function emulated(columns: number): EmulatedTerminal {
  const grid: Grid = { columns, rows: [[]], row: 0, column: 0 };
  return {
    write(text) {
      for (const [, number = '', letter = '', one] of text.matchAll(sequences)) {
        if (one === undefined) control(grid, number, letter);
        else put(grid, one);
      }
    },
    resize(to) {
      const texts = grid.rows.map((line) => line.join(''));
      Object.assign(grid, { columns: to, rows: [[]], row: 0, column: 0 });
      for (const letter of texts.join('\r\n')) put(grid, letter);
    },
    lines() {
      const texts = Array.from(grid.rows, (line) => (line ?? []).join('').trimEnd());
      return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
    },
  };
}

const escapeByte = String.fromCharCode(0x1b);
const sequences = new RegExp(`${escapeByte}\\[\\??(\\d*)([A-Za-z])|([\\s\\S])`, 'gu');

function put(grid: Grid, letter: string): void {
  if (letter === '\r') grid.column = 0;
  else if (letter === '\n') down(grid);
  else write(grid, letter);
}

function down(grid: Grid): void {
  grid.row += 1;
  grid.rows[grid.row] ??= [];
}

function write(grid: Grid, letter: string): void {
  const wide = textWidth(letter);
  if (grid.column + wide > grid.columns) {
    down(grid);
    grid.column = 0;
  }
  const line = grid.rows[grid.row] ?? [];
  while (line.length < grid.column) line.push(' ');
  line.splice(grid.column, wide, letter, ...Array.from({ length: wide - 1 }, () => ''));
  grid.rows[grid.row] = line;
  grid.column += wide;
}

function control(grid: Grid, number: string, letter: string): void {
  const kept = (grid.rows[grid.row] ?? []).slice(0, grid.column);
  if (letter === 'A') grid.row = Math.max(0, grid.row - Number(number || 1));
  if (letter === 'B') grid.row += Number(number || 1);
  if (letter === 'K') grid.rows[grid.row] = number === '2' ? [] : kept;
  if (letter === 'J') grid.rows = [...grid.rows.slice(0, grid.row), kept];
}
