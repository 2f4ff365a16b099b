/** @import { Series } from '../series.ts' */
import { across, widthOf } from './axis.js';
import { svg } from './elements.js';

/** @type {Readonly<Record<string, string>>} The phases of a scenario in order, with their labels. */
export const scenarioPhases = {
  baseline: 'baseline',
  act: 'act',
  settle: 'settle',
  undo: 'hold, undo',
  quiet: 'quiet',
};

/** A shorter phase has no band; its action has a mark. */
const shortestMilliseconds = 500;
/** Of a letter in the pictures, in pixels. */
const letterWidth = 7;

/**
 * A band for each phase within the span, with its label if there is room.
 * @param {Series['phases']} phases
 * @param {{ from: number, to: number }} span
 * @param {{ width: number, bottom: number }} place
 */
export function phaseBands(phases, span, { width, bottom }) {
  const spans = phases.map(({ at, name }, index) => ({ name, from: at, to: phases[index + 1]?.at ?? span.to }));
  return spans
    .filter(({ from, to }) => to > span.from && from < span.to && to - from >= shortestMilliseconds)
    .flatMap(({ name, from, to }) => {
      const words = scenarioPhases[name] ?? name;
      const place = { x: across(from, span), width: widthOf({ from, to }, span) };
      const hasRoom = (Number.parseFloat(place.width) / 100) * width > words.length * letterWidth + 6;
      return [
        svg('rect', { class: `phase ${name}`, ...place, y: 0, height: 20 }, svg('title', {}, words)),
        svg('line', { class: 'phase-line', x1: place.x, x2: place.x, y1: 0, y2: bottom }),
        ...(hasRoom ? [svg('text', { class: 'phase-text', x: place.x, dx: 4, y: 14 }, words)] : []),
      ];
    });
}
