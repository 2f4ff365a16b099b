/** @import { StreamedDeploy } from '../deploys/deploy-stream.ts' */
import { across, axis, widthOf } from './axis.js';
import { byId, svg } from './elements.js';
import { readableDuration } from './figures.js';
import { visitorBars } from './visitor-bars.js';

const rowHeight = 26;
/** More steps are taller than a screen: the last ones stay. */
const mostSteps = 40;
const stripHeight = 36;

/**
 * What visitors got, and below it the steps in their order as bars on one time axis.
 * @param {StreamedDeploy} deploy
 */
export function drawWaterfall(deploy) {
  const { startedAt, finishedAt, now, visitors, log } = deploy;
  const steps = deploy.steps.slice(-mostSteps);
  const end = finishedAt ?? now ?? Math.max(startedAt, ...log.map(({ at }) => at));
  const span = { from: startedAt, to: Math.max(end, startedAt + 1000) };
  const top = visitors.length === 0 ? 0 : stripHeight + 24;
  const bottom = top + (steps.length + (now === null ? 0 : 1)) * rowHeight + 4;
  const width = byId('waterfall-figure').clientWidth;
  const since = Math.max(startedAt, ...steps.map(({ to }) => to));
  const turn = log.find(({ tag, text }) => tag === 'ERROR' && text !== '' && deploy.rollback !== null);
  const look = { class: 'picture', id: 'waterfall', width: '100%', height: bottom + 20, role: 'img' };
  const label = `${steps.length} steps in ${readableDuration((span.to - span.from) / 1000)}; the log says the same in words.`;
  byId('waterfall-figure').replaceChildren(
    svg(
      'svg',
      { ...look, 'aria-label': label },
      ...(visitors.length === 0 ? [] : [svg('text', { x: 0, y: 12 }, 'what visitors got, second by second')]),
      ...visitorBars(visitors, span, { y: 18, height: stripHeight }),
      ...(turn === undefined ? [] : [turnLine(turn.at, span, bottom)]),
      ...steps.map((step, index) => stepBar(step, span, top + index * rowHeight)),
      ...(now === null ? [] : [runningBar(since, now, span, top + steps.length * rowHeight)]),
      axis(span, { y: bottom, zeroAt: startedAt, mostTicks: width < 600 ? 4 : 10 }),
    ),
  );
}

export const waterfallLegend = () =>
  [
    { name: 'step', meaning: 'step' },
    { name: 'step health', meaning: 'health check' },
    { name: 'step back', meaning: 'step of the way back' },
    { name: 'step failed', meaning: 'failed' },
  ].map(({ name, meaning }) => ({ swatch: svg('rect', { class: name, y: 2, width: 12, height: 9 }), meaning }));

/**
 * @param {StreamedDeploy['steps'][number]} step
 * @param {{ from: number, to: number }} span
 * @param {number} y
 */
function stepBar({ name, from, to, isHealth, isFailed, isBack }, span, y) {
  const kind = isFailed ? 'failed' : isBack ? 'back' : isHealth ? 'health' : '';
  const failed = isFailed ? ' ✗' : '';
  return labelled(
    { from, to, look: `step ${kind}`, words: `${name}, ${readableDuration((to - from) / 1000)}${failed}` },
    span,
    y,
  );
}

/**
 * @param {number} from
 * @param {number} to
 * @param {{ from: number, to: number }} span
 * @param {number} y
 */
const runningBar = (from, to, span, y) =>
  labelled({ from, to, look: 'step now', words: `running for ${readableDuration((to - from) / 1000)}` }, span, y);

/**
 * A bar with its words beside it: on its left where the right has no room.
 * @param {{ from: number, to: number, look: string, words: string }} bar
 * @param {{ from: number, to: number }} span
 * @param {number} y
 */
function labelled({ from, to, look, words }, span, y) {
  const isLate = (from - span.from) / (span.to - span.from) > 0.5;
  const bar = { class: look, x: across(from, span), width: widthOf({ from, to }, span), y: y + 4, height: 14 };
  const place = isLate ? { x: across(from, span), dx: -6, class: 'end' } : { x: across(to, span), dx: 6 };
  const isWide = (to - from) / (span.to - span.from) > 0.5;
  const inside = { x: across(from, span), dx: 6, class: look === 'step now' ? 'now-words' : 'inside' };
  const text = svg('text', { y: y + 15, ...(isWide ? inside : place) }, words);
  return svg('g', {}, svg('title', {}, words), svg('rect', bar), text);
}

/**
 * The moment at which the deploy turned back.
 * @param {number} at
 * @param {{ from: number, to: number }} span
 * @param {number} bottom
 */
const turnLine = (at, span, bottom) =>
  svg('line', { class: 'turn', x1: across(at, span), x2: across(at, span), y1: 0, y2: bottom });
