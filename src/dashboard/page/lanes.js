/** @import { Series } from '../series.ts' */
import { across, widthOf } from './axis.js';
import { svg } from './elements.js';
import { secondsText } from './figures.js';

/** @typedef {{ from: number, to: number }} Span */
/** @typedef {Series['lives'][number]} Lifeline */

/** More lanes are taller than a screen. */
const mostLanes = 16;
export const laneHeight = 26;
const stageHeights = { 'not-ready': 2, ready: 8, leaving: 8 };

/**
 * The pods and nodes that changed within the section, one below the other. `from` is when the object appeared; name and
 * bars are separate elements.
 * @param {readonly Lifeline[]} lives
 * @param {Span} section
 * @param {Span} span Of the picture, which may be longer than the section.
 * @param {number} top
 */
export function lanes(lives, section, span, top) {
  const touched = lives.filter((life) => isTouched(life, section)).slice(0, mostLanes);
  return touched.map((life, index) => ({
    from: life.stages[0]?.from ?? span.from,
    name: nameOf(life, top + index * laneHeight),
    bars: barsOf(life, span, top + index * laneHeight),
  }));
}

/**
 * How many objects of a kind existed at that instant, and how many of them were ready.
 * @param {readonly Lifeline[]} lives
 * @param {Lifeline['kind']} kind
 * @param {number} at
 */
export function countAt(lives, kind, at) {
  const existing = lives
    .filter((life) => life.kind === kind)
    .flatMap(({ stages }) => stages.findLast(({ from, to }) => from <= at && at < to) ?? []);
  return { total: existing.length, ready: existing.filter(({ state }) => state === 'ready').length };
}

export const laneLegend = () =>
  [
    { name: 'not-ready', y: 5, height: 2, meaning: 'not ready' },
    { name: 'ready', y: 2, height: 8, meaning: 'ready' },
    { name: 'leaving', y: 2, height: 8, meaning: 'cordoned or being deleted' },
  ].map(({ name, y, height, meaning }) => ({
    swatch: svg('rect', { class: name, x: 1, y, width: 22, height }),
    meaning,
  }));

/**
 * @param {Lifeline} life
 * @param {Span} span
 */
function isTouched({ stages }, span) {
  const inside = stages.filter(({ from, to }) => to > span.from && from < span.to);
  const [first] = inside;
  if (first === undefined) return false;
  const last = inside.at(-1) ?? first;
  return inside.length > 1 || first.from > span.from || last.to < span.to;
}

/**
 * @param {Lifeline} life
 * @param {number} y
 */
const nameOf = ({ kind, name }, y) => svg('text', { x: 0, y: y + 11 }, `${kind === 'Pod' ? 'pod' : 'node'} ${name}`);

/**
 * @param {Lifeline} life
 * @param {Span} span
 * @param {number} y
 */
function barsOf({ name, stages }, span, y) {
  const inside = stages.filter(({ from, to }) => to > span.from && from < span.to);
  const bars = inside.map(({ state, from, to }) => {
    const height = stageHeights[state];
    const start = Math.max(from, span.from);
    const place = { x: across(start, span), width: widthOf({ from: start, to }, span), y: y + 16 + (8 - height) / 2 };
    const words = `${name}: ${state.replace('-', ' ')}, ${secondsText((to - from) / 1000)}`;
    return svg('rect', { class: state, ...place, height }, svg('title', {}, words));
  });
  return svg('g', { class: 'lane' }, ...bars);
}
