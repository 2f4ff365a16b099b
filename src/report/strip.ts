/** What a stretch of time was like for users, as the downtime log tells it. Epoch milliseconds. */
export interface Strip {
  readonly from: number;
  readonly to: number;
  readonly secondsPerCell: number;
  /** A letter a cell: good, slow, bad, unknown, or `.` where the monitor did not run. The worst of a cell is what it shows. */
  readonly cells: string;
}

/** Worse ones later. */
export const cellLetters = ['.', 'g', 'u', 's', 'b'] as const;
export type CellLetter = (typeof cellLetters)[number];

/** Takes the state of a time, in any order, and tells the strip at the end. */
export interface StripPainter {
  readonly paint: (letter: CellLetter, from: number, to: number) => void;
  readonly end: () => Strip;
}

/** Pure. A strip of at most `mostCells` cells, each of a length that people can read off; memory is the cells alone. */
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

/** The shortest step of a clock face that makes few enough cells; whole days where even a day is too short. */
export function cellSeconds(seconds: number, mostCells: number): number {
  const step = clockSteps.find((candidate) => seconds / candidate <= mostCells);
  return step ?? Math.ceil(seconds / mostCells / day) * day;
}

const day = 86_400;
const clockSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, day];
