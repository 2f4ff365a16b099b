/** @import { Series } from '../series.ts' */

/**
 * The last of the moments, which are in order, that is not later than that instant.
 * @template {{ readonly at: number }} M
 * @param {readonly M[]} moments
 * @param {number} at
 * @returns {M | undefined}
 */
export function lastUntil(moments, at) {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {M} */ (moments[middle]).at <= at) low = middle + 1;
    else high = middle;
  }
  return moments[low - 1];
}

/**
 * @typedef {{ name: string | null, title: string, from: number, to: number }} Section A part of the run that has a
 * close-up.
 */

/**
 * The part before the scenarios and each scenario that has started, in order.
 * @param {Series} series
 * @returns {Section[]}
 */
export function sections({ from, to, scenarios }) {
  const begun = scenarios.flatMap(({ name, title, startedAt, finishedAt }) =>
    startedAt === null ? [] : [{ name, title, from: startedAt, to: finishedAt ?? to }],
  );
  const first = Math.min(to, ...begun.map((one) => one.from));
  return [{ name: null, title: 'Pre-check and apply', from, to: first }, ...begun.sort((a, b) => a.from - b.from)];
}

/**
 * @param {Series} series
 * @param {number} at
 * @returns {Section}
 */
export function sectionAt(series, at) {
  const all = sections(series);
  return /** @type {Section} */ (all.findLast(({ from }) => from <= at) ?? all[0]);
}

/**
 * `00:11:56Z`, UTC.
 * @param {number} at
 */
export const timeOfDay = (at) => `${new Date(at).toISOString().slice(11, 19)}Z`;

/**
 * `+11:56`: minutes and seconds since the start of the run.
 * @param {number} milliseconds
 */
export function since(milliseconds) {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  return `+${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
