/** @import { StreamedSeries } from '../stream.ts' */
import { byId, setText } from './elements.js';
import { lastUntil } from './moments.js';

/**
 * Whether this is a replay or a live run; and for screen readers each start of a scenario and each verdict.
 * @param {StreamedSeries} series
 * @param {number} at
 */
export function showRunState(series, at) {
  const { label, look } = states[stateOf(series, at)];
  setText('state', label);
  byId('state').className = `badge ${look}`;
  const scenario = lastUntil(series.phases, at)?.scenario;
  const now = series.scenarios.find(({ name }) => name === scenario);
  const last = series.scenarios.findLast(({ finishedAt }) => finishedAt !== null && finishedAt <= at);
  const announced = [
    ...(last === undefined ? [] : [`${last.title}: ${last.verdict ?? 'ended'}.`]),
    ...(now === undefined ? [] : [`Now: ${now.title}.`]),
  ];
  setText('announcement', announced.join(' '));
}

const states = {
  replay: { label: '▷ replay', look: '' },
  silent: { label: '! no new data', look: 'warning' },
  live: { label: '● live', look: 'met' },
  back: { label: '◁ looking back', look: 'inconclusive' },
};

/**
 * @param {StreamedSeries} series
 * @param {number} at
 * @returns {keyof typeof states}
 */
function stateOf({ endings, to, isSilent }, at) {
  if (endings.length > 0) return 'replay';
  if (isSilent) return 'silent';
  return at >= to ? 'live' : 'back';
}
