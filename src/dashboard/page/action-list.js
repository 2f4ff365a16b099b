/** @import { Series } from '../series.ts' */
/** @import { Section } from './moments.js' */
import { badge, html } from './elements.js';
import { lastUntil, timeOfDay } from './moments.js';
import { redraw } from './redraw.js';

/** @typedef {Series['actions'][number]} Action */

/**
 * The actions of the section up to that instant and the state of their undo, numbered as in its picture.
 * @param {Series} series
 * @param {Section} section
 * @param {number} at
 */
export function showActions({ actions }, section, at) {
  const shown = actions.filter(({ begunAt }) => begunAt >= section.from && begunAt <= Math.min(at, section.to));
  const states = shown.map((action) => stateOf(action, at));
  redraw('actions', JSON.stringify([section.from, states]), () =>
    shown.map((action, index) => item(action, index + 1, states[index] ?? underWay)),
  );
}

/** @typedef {readonly [word: string, label: string]} State */
/** @type {State} */
const underWay = ['running', 'under way'];

/**
 * @param {Action} action
 * @param {number} at
 * @returns {State}
 */
function stateOf({ scenario, doneAt, failed, isReversible, undos }, at) {
  const undo = lastUntil(undos, at);
  if (undo !== undefined) return [undo.state, undoWords[undo.state]];
  if (doneAt === null || doneAt > at) return underWay;
  if (failed !== null) return ['error', 'failed'];
  if (scenario === null) return ['met', 'applied'];
  return isReversible ? ['open', 'to be undone'] : ['irreversible', undoWords.irreversible];
}

const undoWords = {
  undone: 'undone',
  kept: 'kept',
  'not-needed': 'undo not needed',
  failed: 'not undone',
  irreversible: 'irreversible',
};

/**
 * @param {Action} action
 * @param {number} number
 * @param {State} state
 */
function item({ action, subject, begunAt, failed }, number, [word, label]) {
  const more = html('span', { class: 'quiet' }, timeOfDay(begunAt), failed === null ? null : ` ${failed}`);
  return html(
    'li',
    {},
    html('span', { class: 'number' }, number),
    html('span', {}, html('b', {}, action), ` ${subject} `, more),
    badge(word, label),
  );
}
