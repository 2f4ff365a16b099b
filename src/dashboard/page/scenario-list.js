/** @import { Series } from '../series.ts' */
import { badge, html } from './elements.js';
import { downtimeText } from './figures.js';
import { lastUntil } from './moments.js';
import { redraw } from './redraw.js';

/** @typedef {Series['scenarios'][number]} Scenario */

/**
 * The ten scenarios, each with its verdict after it has ended.
 * @param {Series} series
 * @param {number} at
 * @param {(at: number) => void} seek
 */
export function showScenarios({ scenarios, endings }, at, seek) {
  const isOver = lastUntil(endings, at) !== undefined;
  const states = scenarios.map((scenario) => stateOf(scenario, at, isOver));
  const starts = scenarios.map(({ startedAt }) => startedAt);
  redraw('scenarios', JSON.stringify([states, starts]), () =>
    scenarios.map((scenario, index) => item(scenario, states[index] ?? later, index + 1, seek)),
  );
}

/** @typedef {{ word: string, label: string, downtime: Scenario['downtime'] }} State */
/** @type {State} */
const later = { word: 'later', label: 'not yet', downtime: null };

/**
 * @param {Scenario} scenario
 * @param {number} at
 * @param {boolean} isOver
 * @returns {State}
 */
function stateOf({ chosen, startedAt, finishedAt, verdict, downtime }, at, isOver) {
  if (!chosen) return { ...later, label: 'left out' };
  if (startedAt === null || startedAt > at) return isOver ? { ...later, label: 'not tested' } : later;
  if (verdict === null || finishedAt === null || finishedAt > at)
    return { word: 'running', label: 'running', downtime: null };
  return { word: verdict, label: verdict.replace('-', ' '), downtime };
}

/**
 * @param {Scenario} scenario
 * @param {State} state
 * @param {number} number
 * @param {(at: number) => void} seek
 */
function item({ title, startedAt }, { word, label, downtime }, number, seek) {
  const figures = downtime === null ? null : html('span', { class: 'quiet figures' }, downtimeWords(downtime));
  return html(
    'li',
    word === 'running' ? { 'aria-current': 'true' } : {},
    html('span', { class: 'quiet' }, number),
    html('span', {}, startedAt === null ? title : titleButton(title, () => seek(startedAt)), figures),
    badge(word, label),
  );
}

/**
 * @param {string} title
 * @param {() => void} press
 */
function titleButton(title, press) {
  const button = html('button', { type: 'button', class: 'link' }, title);
  button.addEventListener('click', press);
  return button;
}

/** @param {NonNullable<Scenario['downtime']>} downtime */
function downtimeWords(downtime) {
  const unknown = downtime.unknown === 0 ? '' : `, ${downtime.unknown} unknown`;
  return downtimeText(downtime) + unknown;
}
