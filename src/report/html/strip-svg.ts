import { type Markup, markup } from '../markup.ts';
import type { CellLetter, Strip } from '../strip.ts';

/** The strip as bars, one path for each state. A worse state is taller, so that the picture does not need colour. */
export function stripSvg({ from, to, secondsPerCell, cells }: Strip, y: number, height: number): Markup {
  const width = Number(((to - from) / 1000 / secondsPerCell).toFixed(3));
  return markup`<svg x="0" y="${y}" width="100%" height="${height}" viewBox="0 0 ${width} ${scale}" preserveAspectRatio="none">${states.map(
    ({ letter, name, top, bottom }) => {
      const path = runsOf(cells, letter).map(([start, end]) => `M${start} ${top}H${end}V${bottom}H${start}z`);
      return path.length === 0 ? undefined : markup`<path class="${name}" d="${path.join('')}"/>`;
    },
  )}</svg>`;
}

/** The height of the viewBox. */
const scale = 10;

const states: readonly {
  readonly letter: CellLetter;
  readonly name: string;
  readonly top: number;
  readonly bottom: number;
}[] = [
  { letter: 'g', name: 'good', top: 6, bottom: scale },
  { letter: 'u', name: 'unknown', top: 8, bottom: 9 },
  { letter: 's', name: 'slow', top: 3, bottom: scale },
  { letter: 'b', name: 'bad', top: 0, bottom: scale },
];

function runsOf(cells: string, letter: CellLetter): readonly (readonly [start: number, end: number])[] {
  const pattern = letter === '.' ? /\.+/g : new RegExp(`${letter}+`, 'g');
  return [...cells.matchAll(pattern)].map(({ 0: run, index }) => [index, index + run.length]);
}
