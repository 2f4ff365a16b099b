import type { Paint } from '../command/text.ts';

export type CellState = 'good' | 'slow' | 'bad' | 'unknown';

/** A shape for each state, so that no colour is needed to read the strip. */
export const cellShapes: Readonly<Record<CellState, string>> = { good: '▁', slow: '▄', bad: '█', unknown: '?' };

/** The last probes, a cell for each second of their starts, or for each interval where that is longer. */
export interface ProbeStrip {
  take(at: number, state: Exclude<CellState, 'unknown'>): void;
  /** The last `count` cells up to the newest sample: the worst state in each, and unknown where no sample has ended. */
  cells(count: number): readonly CellState[];
}

/** More cells are on no screen. */
const mostCells = 1000;
const worse: readonly CellState[] = ['good', 'slow', 'bad'];

export function probeStrip(intervalSeconds = 1): ProbeStrip {
  const cellMs = Math.max(1000, intervalSeconds * 1000);
  const states = new Map<number, CellState>();
  let first: number | undefined;
  let last = 0;
  return {
    take(at, state) {
      const cell = Math.floor(at / cellMs);
      first = Math.min(first ?? cell, cell);
      last = Math.max(last, cell);
      const known = states.get(cell);
      if (known === undefined || worse.indexOf(state) > worse.indexOf(known)) states.set(cell, state);
      states.delete(last - mostCells);
    },
    cells(count) {
      if (first === undefined) return [];
      const shown = Math.min(count, mostCells, last - first + 1);
      return Array.from({ length: shown }, (_, index) => states.get(last - shown + 1 + index) ?? 'unknown');
    },
  };
}

/**
 * The strip as a line with its name, and of several with that of what is probed; what the shapes mean stands beside it
 * where there is room.
 */
export function stripLine(
  strip: ProbeStrip,
  columns: number,
  { good, doubtful, bad, faint }: Paint,
  of?: string,
): readonly string[] {
  // A long name leaves half of the line to the probes; its end tells more than its beginning.
  const name = of === undefined ? 'probes ' : `probes ${of.slice(-Math.max(1, Math.floor(columns / 2) - 8))} `;
  const paints = { good, slow: doubtful, bad, unknown: doubtful };
  const room = columns - name.length - (columns >= legend.length + 40 ? legend.length : 0);
  const cells = strip.cells(Math.max(1, room));
  if (cells.length === 0) return [];
  const shown = cells.map((state) => paints[state](cellShapes[state])).join('');
  return [`${faint(name)}${shown}${room + name.length < columns ? faint(legend) : ''}`];
}

const legend = `  ${cellShapes.good} ok ${cellShapes.slow} slow ${cellShapes.bad} failed ${cellShapes.unknown} unknown`;
