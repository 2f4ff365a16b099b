import { svg } from './elements.js';

/** @typedef {{ from: number, to: number }} Span Epoch milliseconds. */

/**
 * The x coordinate of an instant in a picture of that span, in percent, so that the picture can have any width.
 * @param {number} at
 * @param {Span} span
 */
export function across(at, { from, to }) {
  return `${(Math.min(1, Math.max(0, (at - from) / (to - from))) * 100).toFixed(2)}%`;
}

/**
 * The width of the part that lies in the span.
 * @param {Span} part
 * @param {Span} span
 */
export function widthOf(part, span) {
  const [from, to] = [Math.max(part.from, span.from), Math.min(part.to, span.to)];
  return across(span.from + Math.max(0, to - from), span);
}

/**
 * An axis with the time since `zeroAt`.
 * @param {Span} span
 * @param {{ y: number, zeroAt: number, mostTicks: number }} place
 */
export function axis(span, { y, zeroAt, mostTicks }) {
  const stepSeconds = stepFor((span.to - span.from) / 1000, mostTicks);
  const first = Math.ceil((span.from - zeroAt) / 1000 / stepSeconds);
  const count = Math.floor((span.to - zeroAt) / 1000 / stepSeconds) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => (first + index) * stepSeconds).flatMap((afterSeconds) => {
    const x = across(zeroAt + afterSeconds * 1000, span);
    const label = stepSeconds >= 60 ? `${afterSeconds / 60} min` : `${afterSeconds} s`;
    const edge = Number.parseFloat(x) < 4 ? 'start' : Number.parseFloat(x) > 96 ? 'end' : 'middle';
    return [svg('line', { x1: x, x2: x, y1: y, y2: y + 4 }), svg('text', { x, y: y + 16, class: edge }, label)];
  });
  return svg('g', { class: 'axis' }, svg('line', { x1: 0, x2: '100%', y1: y, y2: y }), ...ticks);
}

/**
 * The step between two ticks; whole hours if one hour is too short.
 * @param {number} lengthSeconds
 * @param {number} mostTicks
 */
function stepFor(lengthSeconds, mostTicks) {
  const step = stepsSeconds.find((stepSeconds) => lengthSeconds / stepSeconds <= mostTicks);
  return step ?? Math.ceil(lengthSeconds / mostTicks / 3600) * 3600;
}

const stepsSeconds = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
