/** @import { Series } from '../series.ts' */
import { across } from './axis.js';
import { svg } from './elements.js';

/** @typedef {{ from: number, to: number }} Span */
/** @typedef {{ at: number, numbers: number[] }} Group */

/**
 * The actions (filled) and their undos (hollow) in the span, numbered in order. Marks that would overlap are one.
 * @param {Series['actions']} actions
 * @param {Span} span
 * @param {{ y: number, bottom: number, width: number }} place The width in pixels.
 */
export function marks(actions, span, place) {
  const numbered = actions
    .filter(({ begunAt }) => begunAt >= span.from && begunAt <= span.to)
    .map(({ begunAt, undos }, index) => ({ begunAt, undoneAt: undoneAt(undos), number: index + 1 }));
  const nearest = ((span.to - span.from) * markWidth) / Math.max(1, place.width);
  const done = numbered.map(({ begunAt: at, number }) => ({ at, number }));
  const undone = numbered.flatMap(({ undoneAt: at, number }) =>
    at === undefined || at > span.to ? [] : [{ at, number }],
  );
  return [
    ...grouped(done, nearest).map((group) => mark(group, 'action', span, place)),
    ...grouped(undone, nearest).map((group) => mark(group, 'undo', span, place)),
  ];
}

/** @param {Series['actions'][number]['undos']} undos */
const undoneAt = (undos) => undos.find(({ state }) => state === 'undone' || state === 'not-needed')?.at;

/** Of a mark with one number and a margin, in pixels. */
const markWidth = 26;

export const markLegend = () =>
  [
    { kind: 'action', meaning: 'action' },
    { kind: 'undo', meaning: 'undo' },
  ].map(({ kind, meaning }) => {
    const shape = svg('rect', { x: 3, y: 1, width: 18, height: 10, rx: 5 });
    return { swatch: svg('g', { class: `mark ${kind}` }, shape), meaning };
  });

/**
 * @param {readonly { at: number, number: number }[]} moments
 * @param {number} nearest Milliseconds.
 * @returns {Group[]}
 */
function grouped(moments, nearest) {
  /** @type {Group[]} */
  const groups = [];
  for (const { at, number } of moments.toSorted((a, b) => a.at - b.at)) {
    const last = groups.at(-1);
    if (last !== undefined && at - last.at < nearest) last.numbers.push(number);
    else groups.push({ at, numbers: [number] });
  }
  return groups;
}

/**
 * @param {Group} group
 * @param {'action' | 'undo'} kind
 * @param {Span} span
 * @param {{ y: number, bottom: number }} place
 */
function mark({ at, numbers }, kind, span, { y, bottom }) {
  const x = across(at, span);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const label = first === last ? `${first}` : `${first}–${last}`;
  const half = 5 + label.length * 3.5;
  const pill = svg('rect', { x: -half, y: -8, width: half * 2, height: 16, rx: 8 });
  const text = svg('text', { class: 'middle', y: 4 }, label);
  return svg(
    'g',
    { class: `mark ${kind}` },
    svg('line', { class: 'mark-line', x1: x, x2: x, y1: y + 8, y2: bottom }),
    svg('svg', { x, y, overflow: 'visible' }, pill, text),
  );
}
