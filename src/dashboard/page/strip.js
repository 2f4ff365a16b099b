/** @import { Strip } from '../../report/strip.ts' */
import { svg } from './elements.js';

/** From best to worst. A worse state is taller, so that the picture does not need colour. */
const states = [
  { letter: '.', name: 'none', top: 0, bottom: 0 },
  { letter: 'g', name: 'good', top: 6, bottom: 10 },
  { letter: 'u', name: 'unknown', top: 8, bottom: 9 },
  { letter: 's', name: 'slow', top: 3, bottom: 10 },
  { letter: 'b', name: 'bad', top: 0, bottom: 10 },
];

const words = { good: 'answered in time', slow: 'slow', bad: 'failed', unknown: 'unknown' };

/**
 * The bars of a span of the run, at most `most`, each with its worst state.
 * @param {Strip} strip
 * @param {{ from: number, to: number }} span
 * @param {{ y: number, height: number, most: number }} place
 */
export function bars(strip, span, { y, height, most }) {
  const cells = cellsOf(strip, span);
  const perBar = Math.max(1, Math.ceil(cells.length / most));
  const worst = Array.from({ length: Math.ceil(cells.length / perBar) }, (_, bar) =>
    worstOf(cells.slice(bar * perBar, (bar + 1) * perBar)),
  ).join('');
  const width = (span.to - span.from) / 1000 / strip.secondsPerCell / perBar;
  const paths = states.flatMap(({ letter, name, top, bottom }) => {
    const runs = letter === '.' ? [] : [...worst.matchAll(new RegExp(`${letter}+`, 'g'))];
    const d = runs.map(({ 0: run, index }) => `M${index} ${top}H${index + run.length}V${bottom}H${index}z`).join('');
    return d === '' ? [] : [svg('path', { class: name, d })];
  });
  return svg(
    'svg',
    { x: 0, y, width: '100%', height, viewBox: `0 0 ${width} 10`, preserveAspectRatio: 'none' },
    ...paths,
  );
}

/**
 * The state of the last sample before that instant, if it is not too old.
 * @param {Strip} strip
 * @param {number} at
 */
export function stateAt({ from, secondsPerCell, cells }, at) {
  const cell = Math.floor((at - from) / 1000 / secondsPerCell);
  const letter = cells
    .slice(Math.max(0, cell - mostCellsAgo), cell + 1)
    .replace(/\.+$/, '')
    .at(-1);
  return states.find((state) => state.letter === letter)?.name ?? 'none';
}

/**
 * A sample is logged when it ends, at most its timeout later, which is 10 s by default (docs/contract.md, "Commands").
 */
const mostCellsAgo = 12;

export function trafficLegend() {
  const bars = Object.entries(words).map(([name, meaning]) => {
    const { top, bottom } = states.find((state) => state.name === name) ?? { top: 0, bottom: 0 };
    return { swatch: svg('rect', { class: name, y: top, width: 12, height: bottom - top }), meaning };
  });
  return [...bars, { swatch: svg('path', { class: 'outage', d: 'M6 0l5 9H1z' }), meaning: 'outage begins' }];
}

/**
 * @param {Strip} strip
 * @param {{ from: number, to: number }} span
 */
function cellsOf({ from, secondsPerCell, cells }, span) {
  const cell = secondsPerCell * 1000;
  return cells.slice(Math.floor((span.from - from) / cell), Math.ceil((span.to - from) / cell));
}

/** @param {string} cells */
const worstOf = (cells) => states.findLast(({ letter }) => cells.includes(letter))?.letter ?? '.';
