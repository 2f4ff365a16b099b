/** @import { Series } from '../series.ts' */
import { byId, setText } from './elements.js';
import { sections, since, timeOfDay } from './moments.js';

/**
 * The instant that the page shows. `follows` keeps it at the end of a run that goes on. `frameMilliseconds` is by the
 * page's own clock.
 * @typedef {{ at: number, isPlaying: boolean, follows: boolean, frameMilliseconds: number, series: Series | undefined,
 * show: (at: number) => void }} Time
 */

/**
 * The slider and the buttons; calls `show` with each new instant.
 * @param {(at: number) => void} show
 */
export function player(show) {
  /** @type {Time} */
  const time = { at: 0, isPlaying: false, follows: true, frameMilliseconds: 0, series: undefined, show };
  const slider = sliderOf();
  slider.addEventListener('input', () => seek(time, (time.series?.from ?? 0) + Number(slider.value) * 1000));
  slider.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    toggle(time);
  });
  byId('play').addEventListener('click', () => toggle(time));
  byId('previous').addEventListener('click', () => jump(time, -1));
  byId('next').addEventListener('click', () => jump(time, 1));
  byId('follow').addEventListener('click', () => seek(time, Number.POSITIVE_INFINITY));
  return {
    /** @param {number} at */
    seek: (at) => seek(time, at),
    at: () => time.at,
    /** @param {Series} grown */
    take(grown) {
      time.series = grown;
      slider.max = String(Math.ceil((grown.to - grown.from) / 1000));
      seek(time, time.follows ? grown.to : time.at);
    },
  };
}

const sliderOf = () => /** @type {HTMLInputElement} */ (byId('slider'));
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * @param {Time} time
 * @param {number} at
 */
function seek(time, at) {
  if (time.series === undefined) return;
  const { from, to } = time.series;
  time.at = Math.min(to, Math.max(from, at));
  time.follows = time.at >= to;
  if (time.follows) time.isPlaying = false;
  showTime(time, time.series);
  time.show(time.at);
}

/**
 * @param {Time} time
 * @param {Series} series
 */
function showTime({ at, isPlaying, follows }, { from, endings }) {
  const slider = sliderOf();
  slider.value = String(Math.round((at - from) / 1000));
  slider.setAttribute('aria-valuetext', `${since(at - from)}, ${timeOfDay(at)}`);
  setText('clock', `${new Date(at).toISOString().slice(0, 10)} ${timeOfDay(at)}  ${since(at - from)}`);
  setText('play', isPlaying ? '❚❚ Pause' : '▶\uFE0E Play');
  byId('follow').hidden = endings.length > 0 || follows;
}

/** @param {Time} time */
function toggle(time) {
  if (time.series === undefined) return;
  const { from, to } = time.series;
  time.isPlaying = !time.isPlaying;
  time.frameMilliseconds = performance.now();
  const { isPlaying } = time;
  seek(time, isPlaying && time.at >= to ? from : time.at);
  if (isPlaying) requestAnimationFrame((now) => frame(time, now));
}

/**
 * @param {Time} time
 * @param {number} nowMilliseconds
 */
function frame(time, nowMilliseconds) {
  if (!time.isPlaying) return;
  // With reduced motion the page is drawn once a second.
  if (!reducedMotion.matches || nowMilliseconds - time.frameMilliseconds >= 1000) {
    const speed = Number(/** @type {HTMLSelectElement} */ (byId('speed')).value);
    // A hidden page gets no frames, so it does not play.
    const elapsedMilliseconds = Math.min(1100, Math.max(0, nowMilliseconds - time.frameMilliseconds));
    time.frameMilliseconds = nowMilliseconds;
    seek(time, time.at + elapsedMilliseconds * speed);
  }
  requestAnimationFrame((next) => frame(time, next));
}

/** Within this time after the start of a scenario, Previous goes to the one before it. */
const justBegunMilliseconds = 3000;

/**
 * @param {Time} time
 * @param {1 | -1} step
 */
function jump(time, step) {
  if (time.series === undefined) return;
  const { from, to } = time.series;
  const starts = sections(time.series).map((section) => section.from);
  if (step === 1) seek(time, starts.find((start) => start > time.at) ?? to);
  else seek(time, starts.findLast((start) => start < time.at - justBegunMilliseconds) ?? from);
}
