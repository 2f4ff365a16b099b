/** @import { Series } from '../series.ts' */
/** @import { Section } from './moments.js' */
import { applicationsOf, nameHeight } from './applications.js';
import { across, axis, widthOf } from './axis.js';
import { byId, svg } from './elements.js';
import { boundedText } from './figures.js';
import { laneHeight, lanes } from './lanes.js';
import { marks } from './marks.js';
import { phaseBands } from './phase-bands.js';
import { bars } from './strip.js';

/**
 * The close-up of one scenario: its phases, actions, traffic, the bounds of its outages, and the stages of pods and
 * nodes.
 */
export function stagePicture() {
  const picture = svg('svg', { class: 'picture', id: 'stage-picture', width: '100%', role: 'img' });
  byId('stage-figure').append(picture);
  const curtain = svg('rect', { class: 'curtain', y: 0 });
  /** @type {Section | undefined} */
  let span;
  /** @type {ReturnType<typeof lanes>} */
  let shown = [];
  return {
    /**
     * @param {Series} series
     * @param {Section} section
     */
    draw(series, section) {
      span = { ...section, to: roomFor(series, section) };
      const rows = applicationsOf(series);
      const height = trafficHeight + (rows.length === 1 ? 0 : nameHeight);
      const lanesTop = trafficTop + rows.length * height;
      shown = lanes(series.lives, section, span, lanesTop);
      const bottom = lanesTop + shown.length * laneHeight + 4;
      const width = picture.clientWidth;
      picture.setAttribute('height', String(bottom + 20));
      curtain.setAttribute('height', String(bottom));
      picture.replaceChildren(
        ...phaseBands(series.phases, span, { width, bottom }),
        ...rows.flatMap((one, index) =>
          traffic(one, /** @type {Section} */ (span), { y: trafficTop + (index + 1) * height - trafficHeight, width }),
        ),
        ...shown.map((lane) => lane.bars),
        ...marks(series.actions, span, { y: 40, bottom, width }),
        curtain,
        ...shown.map((lane) => lane.name),
        axis(span, { y: bottom, zeroAt: span.from, mostTicks: width < 600 ? 5 : 10 }),
      );
      picture.setAttribute('aria-label', `${section.title} in time, with ${shown.length} pods and nodes that changed.`);
    },
    /** @param {number} at */
    show(at) {
      if (span === undefined) return;
      curtain.setAttribute('x', across(at, span));
      curtain.setAttribute('width', widthOf({ from: at, to: span.to }, span));
      for (const { from, name } of shown) name.classList.toggle('not-yet', from > at);
    },
  };
}

const trafficTop = 56;
/** The bars, and the bounds of the outages under them. */
const trafficHeight = 66;
/** More bounds cannot be distinguished. */
const mostOutages = 60;

/**
 * The end of the picture: a section that goes on has room to grow, so that the scale does not change every second.
 * @param {Series} series
 * @param {Section} section
 */
function roomFor({ to, endings }, { from, to: end }) {
  if (end < to || endings.length > 0) return Math.max(end, from + 1000);
  return from + Math.ceil((to - from + 1) / roomMilliseconds) * roomMilliseconds;
}

/** Longer than most phases of a scenario. */
const roomMilliseconds = 120_000;

/**
 * @param {ReturnType<typeof applicationsOf>[number]} application
 * @param {Section} span
 * @param {{ y: number, width: number }} place
 */
function traffic({ name, strip, outages }, span, { y, width }) {
  const inside = outages.filter(({ from, to }) => Date.parse(to) > span.from && Date.parse(from) < span.to);
  return [
    ...(name === null ? [] : [svg('text', { x: 0, y: y - 4 }, name)]),
    ...(strip === null ? [] : [bars(strip, span, { y, height: 44, most: Math.max(60, Math.floor(width / 2)) })]),
    ...inside.slice(0, mostOutages).map((outage) => boundsMark(outage, span, y + 52)),
  ];
}

/**
 * The thin line is the upper bound of the outage, the thick one its lower bound.
 * @param {Series['outages'][number][number]} outage
 * @param {Section} span
 * @param {number} y
 */
function boundsMark(outage, span, y) {
  const [from, to] = [Date.parse(outage.from), Date.parse(outage.to)];
  const { upperSeconds, lowerSeconds } = outage;
  const words = `${boundedText(outage.span)} of downtime: ${outage.kinds.join(', ')}`;
  /**
   * @param {string} look
   * @param {number} start
   * @param {number} end
   */
  const line = (look, start, end) =>
    svg('line', { class: look, x1: across(start, span), x2: across(end, span), y1: y, y2: y });
  const upper = line('upper', to - upperSeconds * 1000, to);
  const lower = line('lower', from, from + lowerSeconds * 1000);
  return svg('g', { class: 'bounds' }, svg('title', {}, words), upper, lower);
}
