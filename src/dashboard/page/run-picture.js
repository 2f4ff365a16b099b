/** @import { Series } from '../series.ts' */
import { applicationsOf, nameHeight } from './applications.js';
import { across, axis, widthOf } from './axis.js';
import { byId, svg } from './elements.js';
import { sections, timeOfDay } from './moments.js';
import { bars } from './strip.js';

/**
 * The whole run: the scenarios' numbers over the traffic. `show` moves the cursor, and a press on the picture calls
 * `seek` with that instant.
 * @param {(at: number) => void} seek
 */
export function runPicture(seek) {
  const picture = svg('svg', { class: 'picture', id: 'run-picture', width: '100%', role: 'img' });
  byId('run-figure').append(picture);
  /** @type {Series | undefined} */
  let drawn;
  picture.addEventListener('pointerdown', (event) => {
    if (drawn === undefined) return;
    const { left, width } = picture.getBoundingClientRect();
    seek(drawn.from + ((event.clientX - left) / width) * (drawn.to - drawn.from));
  });
  const cursor = svg('line', { class: 'cursor', y1: 0 });
  const curtain = svg('rect', { class: 'later', y: 0 });
  return {
    /** @param {Series} series */
    draw(series) {
      drawn = series;
      const most = Math.min(400, Math.floor(picture.clientWidth / 2));
      const rows = applicationsOf(series);
      const height = 58 + (rows.length === 1 ? 0 : nameHeight);
      const bottom = 34 + rows.length * height;
      picture.setAttribute('height', String(bottom + 20));
      cursor.setAttribute('y2', String(bottom));
      curtain.setAttribute('height', String(bottom));
      picture.replaceChildren(
        ...sections(series)
          .slice(1)
          .flatMap((section) => band(series, section, bottom)),
        ...rows.flatMap((one, index) => row(one, series, { y: 34 + (index + 1) * height - 58, most })),
        axis(series, { y: bottom, zeroAt: series.from, mostTicks: picture.clientWidth < 600 ? 5 : 12 }),
        curtain,
        cursor,
      );
      const ended = series.scenarios.filter(({ finishedAt }) => finishedAt !== null).length;
      picture.setAttribute(
        'aria-label',
        `The run from ${timeOfDay(series.from)} to ${timeOfDay(series.to)}: ${ended} scenarios ended, ${rows.reduce((sum, { outageCount }) => sum + outageCount, 0)} outages. The scenarios and the figures below say the same in words.`,
      );
    },
    /** @param {number} at */
    show(at) {
      if (drawn === undefined) return;
      const x = across(at, drawn);
      cursor.setAttribute('x1', x);
      cursor.setAttribute('x2', x);
      curtain.setAttribute('x', x);
      curtain.setAttribute('width', widthOf({ from: at, to: drawn.to }, drawn));
    },
  };
}

/**
 * @param {Series} series
 * @param {{ name: string | null, from: number, to: number }} section
 * @param {number} height
 */
function band(series, { name, from, to }, height) {
  const index = series.scenarios.findIndex((one) => one.name === name);
  const { title, verdict } = series.scenarios[index] ?? { title: '', verdict: null };
  const place = { x: across(from, series), width: widthOf({ from, to }, series) };
  return [
    svg('rect', { class: 'window', ...place, y: 0, height }, svg('title', {}, `${index + 1}. ${title}`)),
    svg('rect', { class: `band ${verdict ?? 'running'}`, ...place, y: 0, height: 22 }),
    svg(
      'text',
      { class: 'band-text middle', x: across((from + to) / 2, series), y: 15 },
      `${index + 1}${bandSigns[verdict ?? ''] ?? ''}`,
    ),
  ];
}

/** @type {Readonly<Record<string, string>>} A pass has none. */
const bandSigns = { fail: ' ✗', inconclusive: ' ?' };

/** Signs closer than this share of the width would overlap, so only the first is shown. */
const nearest = 0.01;

/**
 * The traffic of one application, its name above and its outages below.
 * @param {ReturnType<typeof applicationsOf>[number]} application
 * @param {{ from: number, to: number }} span
 * @param {{ y: number, most: number }} place
 */
function row({ name, strip, outages }, span, { y, most }) {
  return [
    ...(name === null ? [] : [svg('text', { x: 0, y: y - 4 }, name)]),
    ...(strip === null ? [] : [bars(strip, span, { y, height: 44, most })]),
    ...outageSigns(outages, span, y + 46),
  ];
}

/**
 * @param {Series['outages'][number]} outages
 * @param {{ from: number, to: number }} span
 * @param {number} y
 */
function outageSigns(outages, { from, to }, y) {
  let lastAt = Number.NEGATIVE_INFINITY;
  return outages.flatMap((outage) => {
    const at = Date.parse(outage.from);
    if (at - lastAt < (to - from) * nearest) return [];
    lastAt = at;
    const sign = svg('path', { class: 'outage', d: 'M0 0l5 9h-10z' });
    return [svg('svg', { x: across(at, { from, to }), y, overflow: 'visible' }, sign)];
  });
}
