/** The traffic in a span of time, from the downtime log. Epoch milliseconds. */
export interface Strip {
  readonly from: number;
  readonly to: number;
  readonly secondsPerCell: number;
  /** One letter for the worst state in a cell: good, slow, bad, unknown, or `.` where the monitor did not run. */
  readonly cells: string;
}

/** From best to worst. */
export const cellLetters = ['.', 'g', 'u', 's', 'b'] as const;
export type CellLetter = (typeof cellLetters)[number];

/** Paint states in any order; `end` returns the strip. */
export interface StripPainter {
  readonly paint: (letter: CellLetter, from: number, to: number) => void;
  readonly end: () => Strip;
}

/** Makes a strip of at most `mostCells` cells, each of a round length. */
export function stripPainter({ from, to }: Span, mostCells: number): StripPainter {
  const secondsPerCell = cellSeconds((to - from) / 1000, mostCells);
  const count = Math.max(1, Math.ceil((to - from) / 1000 / secondsPerCell));
  const cells = new Uint8Array(count);
  const cellOf = (at: number) => Math.floor((at - from) / 1000 / secondsPerCell);
  return {
    paint: (letter, start, stop) => {
      if (stop <= from || start >= to) return;
      const rank = cellLetters.indexOf(letter);
      const first = cellOf(start);
      const last = Math.max(first + 1, cellOf(stop));
      for (let cell = Math.max(0, first); cell < Math.min(count, last); cell++)
        cells[cell] = Math.max(cells[cell] ?? 0, rank);
    },
    end: () => ({ from, to, secondsPerCell, cells: Array.from(cells, (rank) => cellLetters[rank]).join('') }),
  };
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The shortest round length that makes at most `mostCells` cells; whole days if one day is too short. */
export function cellSeconds(seconds: number, mostCells: number): number {
  const step = clockSteps.find((candidate) => seconds / candidate <= mostCells);
  return step ?? Math.ceil(seconds / mostCells / day) * day;
}

const day = 86_400;
const clockSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, day];
