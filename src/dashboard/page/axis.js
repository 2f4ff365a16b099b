import { svg } from './elements.js';

/** @typedef {{ from: number, to: number }} Span Epoch milliseconds. */

/**
 * Where a moment stands in a picture of that span: a picture so has any width.
 * @param {number} at
 * @param {Span} span
 */
export function across(at, { from, to }) {
  return `${(Math.min(1, Math.max(0, (at - from) / (to - from))) * 100).toFixed(2)}%`;
}

/**
 * How wide a stretch of the span is, cut to it.
 * @param {Span} part
 * @param {Span} span
 */
export function widthOf(part, span) {
  const [from, to] = [Math.max(part.from, span.from), Math.min(part.to, span.to)];
  return across(span.from + Math.max(0, to - from), span);
}

/**
 * A line with the time since `zeroAt`.
 * @param {Span} span
 * @param {{ y: number, zeroAt: number, mostTicks: number }} place
 */
export function axis(span, { y, zeroAt, mostTicks }) {
  const length = (span.to - span.from) / 1000;
  const step = (steps.find((one) => length / one <= mostTicks) ?? Math.ceil(length / mostTicks / 3600) * 3600) * 1000;
  const first = Math.ceil((span.from - zeroAt) / step);
  const count = Math.floor((span.to - zeroAt) / step) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => (first + index) * step).flatMap((after) => {
    const x = across(zeroAt + after, span);
    const label = step >= 60_000 ? `${after / 60_000} min` : `${after / 1000} s`;
    const edge = Number.parseFloat(x) < 4 ? 'start' : Number.parseFloat(x) > 96 ? 'end' : 'middle';
    return [svg('line', { x1: x, x2: x, y1: y, y2: y + 4 }), svg('text', { x, y: y + 16, class: edge }, label)];
  });
  return svg('g', { class: 'axis' }, svg('line', { x1: 0, x2: '100%', y1: y, y2: y }), ...ticks);
}

const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
