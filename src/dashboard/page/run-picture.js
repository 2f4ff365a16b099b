/** @import { Series } from '../series.ts' */
import { across, axis, widthOf } from './axis.js';
import { byId, svg } from './elements.js';
import { sections, timeOfDay } from './moments.js';
import { bars } from './strip.js';

/**
 * The whole run: the scenarios' numbers over the traffic. `show` moves the cursor, and a press on the picture calls `seek` with that instant.
 * @param {(at: number) => void} seek
 */
export function runPicture(seek) {
  const picture = svg('svg', { class: 'picture', id: 'run-picture', width: '100%', height: 112, role: 'img' });
  byId('run-figure').append(picture);
  /** @type {Series | undefined} */
  let drawn;
  picture.addEventListener('pointerdown', (event) => {
    if (drawn === undefined) return;
    const { left, width } = picture.getBoundingClientRect();
    seek(drawn.from + ((event.clientX - left) / width) * (drawn.to - drawn.from));
  });
  const cursor = svg('line', { class: 'cursor', y1: 0, y2: 92 });
  const curtain = svg('rect', { class: 'later', y: 0, height: 92 });
  return {
    /** @param {Series} series */
    draw(series) {
      drawn = series;
      const most = Math.min(400, Math.floor(picture.clientWidth / 2));
      picture.replaceChildren(
        ...sections(series)
          .slice(1)
          .flatMap((section) => band(series, section)),
        ...(series.strip === null ? [] : [bars(series.strip, series, { y: 34, height: 44, most })]),
        ...outageSigns(series),
        axis(series, { y: 92, zeroAt: series.from, mostTicks: picture.clientWidth < 600 ? 5 : 12 }),
        curtain,
        cursor,
      );
      const ended = series.scenarios.filter(({ finishedAt }) => finishedAt !== null).length;
      picture.setAttribute(
        'aria-label',
        `The run from ${timeOfDay(series.from)} to ${timeOfDay(series.to)}: ${ended} scenarios ended, ${series.outageCount} outages. The scenarios and the figures below say the same in words.`,
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
 */
function band(series, { name, from, to }) {
  const index = series.scenarios.findIndex((one) => one.name === name);
  const { title, verdict } = series.scenarios[index] ?? { title: '', verdict: null };
  const place = { x: across(from, series), width: widthOf({ from, to }, series) };
  return [
    svg('rect', { class: 'window', ...place, y: 0, height: 92 }, svg('title', {}, `${index + 1}. ${title}`)),
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

/** @param {Series} series */
function outageSigns(series) {
  const { from, to, outages } = series;
  let lastAt = Number.NEGATIVE_INFINITY;
  return outages.flatMap((outage) => {
    const at = Date.parse(outage.from);
    if (at - lastAt < (to - from) * nearest) return [];
    lastAt = at;
    const sign = svg('path', { class: 'outage', d: 'M0 0l5 9h-10z' });
    return [svg('svg', { x: across(at, series), y: 80, overflow: 'visible' }, sign)];
  });
}
