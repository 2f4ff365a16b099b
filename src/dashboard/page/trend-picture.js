/** @import { Overview } from '../overview/overview.ts' */
import { byId, svg } from './elements.js';
import { downtimeCell, secondsText } from './figures.js';

/** @typedef {Overview['runs'][number]} RunLine */

/** @param {readonly RunLine[]} runs */
export const hasTrend = (runs) => ended(runs).length > 1;

/**
 * Of each row of the result table with any downtime a strip: a mark for each run, the oldest on the left.
 * @param {readonly RunLine[]} runs The newest first.
 */
export function drawTrend(runs) {
  const inOrder = ended(runs).toReversed();
  const scenarios = (inOrder[0]?.downtimes ?? [])
    .map(({ scenario }, index) => ({ scenario, index, most: mostOf(inOrder, index) }))
    .filter(({ most }) => most > 0);
  const strips = scenarios.flatMap(({ scenario, index, most }, row) => [
    svg('text', { class: 'label', x: 0, y: row * rowHeight + 14 }, `${scenario}, up to ${secondsText(most)}`),
    svg('line', { class: 'zero', x1: 0, x2: '100%', y1: row * rowHeight + 70, y2: row * rowHeight + 70 }),
    ...inOrder.map((run, place) =>
      mark(run, index, { most, top: row * rowHeight + 22, x: xOf(place, inOrder.length) }),
    ),
  ]);
  const height = scenarios.length * rowHeight;
  const label = `Downtime of ${inOrder.length} runs in ${scenarios.length} scenarios. holdfast report --trend has the same as a table.`;
  const look = { class: 'picture trend', id: 'trend-picture', width: '100%', height, role: 'img', 'aria-label': label };
  byId('trend-figure').replaceChildren(svg('svg', look, ...strips));
}

const rowHeight = 84;
const markHeight = 48;

/** @param {readonly RunLine[]} runs */
const ended = (runs) => runs.filter(({ finishedAt }) => finishedAt !== null);

/**
 * @param {readonly RunLine[]} runs
 * @param {number} index
 */
const mostOf = (runs, index) =>
  Math.max(0, ...runs.map(({ downtimes }) => downtimes[index]?.downtime?.span.upperSeconds ?? 0));

/**
 * @param {number} place
 * @param {number} count
 */
const xOf = (place, count) => `${(((place + 0.5) / count) * 100).toFixed(2)}%`;

/**
 * @param {RunLine} run
 * @param {number} index
 * @param {{ most: number, top: number, x: string }} place
 */
function mark({ folder, downtimes }, index, { most, top, x }) {
  const downtime = downtimes[index]?.downtime ?? null;
  if (downtime === null) return svg('g');
  /** @param {number} value */
  const y = (value) => (top + markHeight * (1 - value / most)).toFixed(1);
  const { span } = downtime;
  const words = `${folder}: ${downtimeCell(downtime)}`;
  return svg(
    'g',
    {},
    svg('title', {}, words),
    svg('line', { x1: x, x2: x, y1: y(span.upperSeconds), y2: y(span.lowerSeconds) }),
    svg('circle', { class: span.seconds === 0 ? 'none' : '', cx: x, cy: y(span.seconds), r: 4 }),
  );
}
