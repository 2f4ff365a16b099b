/** @import { StreamedDeploy } from '../deploys/deploy-stream.ts' */
import { across, widthOf } from './axis.js';
import { svg } from './elements.js';
import { counted } from './words.js';

/** @typedef {StreamedDeploy['visitors'][number]} Second */

/**
 * From worst to best; a worse state is taller, so that the picture does not need colour. A torn page has old and new
 * code together.
 */
const states = /** @type {const} */ ([
  { name: 'bad', meaning: 'visitors: a request failed', top: 0 },
  { name: 'torn', meaning: 'visitors: a torn page, of old and new code', top: 0.15 },
  { name: 'slow', meaning: 'visitors: slow', top: 0.4 },
  { name: 'good', meaning: 'visitors: all good', top: 0.7 },
]);

/**
 * A bar for each second in which visitors asked.
 * @param {readonly Second[]} visitors
 * @param {{ from: number, to: number }} span
 * @param {{ y: number, height: number }} place
 */
export function visitorBars(visitors, span, { y, height }) {
  return visitors.map((second) => {
    const { at, requests, failed, torn, slow } = second;
    const { name, top } = stateOf(second);
    const place = { x: across(at, span), width: widthOf({ from: at, to: at + 1000 }, span) };
    const words = `${counted(requests, 'request')}, ${failed} failed, ${torn} torn, ${slow} slow`;
    const bar = { class: name, ...place, y: y + height * top, height: height * (1 - top) };
    return svg('rect', bar, svg('title', {}, words));
  });
}

export const visitorLegend = () =>
  states.map(({ name, meaning, top }) => ({
    swatch: svg('rect', { class: name, y: 12 * top, width: 12, height: 12 * (1 - top) }),
    meaning,
  }));

/** @param {Second} second */
function stateOf({ failed, torn, slow }) {
  const name = failed > 0 ? 'bad' : torn > 0 ? 'torn' : slow > 0 ? 'slow' : 'good';
  return /** @type {(typeof states)[number]} */ (states.find((state) => state.name === name));
}
