/** @import { StreamedDeploy } from '../deploys/deploy-stream.ts' */
import { badge, html, setText } from './elements.js';
import { readableDuration } from './figures.js';
import { redraw } from './redraw.js';
import { short } from './words.js';

/**
 * The lists below the picture: health checks, the rollback, the message and the log.
 * @param {StreamedDeploy} deploy
 */
export function showDeployParts({ health, rollback, sent, log, startedAt, state }) {
  redraw('health', JSON.stringify(health), () =>
    health.length === 0
      ? [html('li', {}, html('span', { class: 'main quiet' }, 'None was made.'))]
      : health.map(healthLine),
  );
  setText('rollback', rollback === null ? 'There was none.' : rollbackWords(rollback));
  redraw('sent', JSON.stringify([sent, state]), () => (sent === null ? [nothingSent(state)] : sentLines(sent)));
  redraw('log', JSON.stringify(log), () => log.map((line) => logLine(line, startedAt)));
}

/** @param {StreamedDeploy['health'][number]} check */
function healthLine({ when, commit, httpStatus, seconds, isHealthy, because }) {
  const status = String(httpStatus).padStart(3, '0');
  const what = commit === null ? when : `${when}, at ${short(commit)}`;
  return html(
    'li',
    {},
    isHealthy ? badge('met', status) : badge('error', status),
    html('span', { class: 'main' }, what, because === null ? null : html('span', { class: 'quiet figures' }, because)),
    html('span', { class: 'when quiet' }, seconds === null ? '' : readableDuration(seconds)),
  );
}

/** @param {NonNullable<StreamedDeploy['rollback']>} rollback */
function rollbackWords({ from, to, because, state }) {
  const words = { running: 'Goes back', done: 'Went back', failed: 'Failed to go back' };
  return `${words[state]} from ${short(from)} to ${short(to)}${because === null ? '' : `: ${because}`}.`;
}

/** @param {string} state */
const nothingSent = (state) =>
  html('p', {}, state === 'running' ? 'Not yet.' : 'None: no notifier is set, or the deploy had nothing to tell.');

/** @param {NonNullable<StreamedDeploy['sent']>} sent */
function sentLines({ message, notifications }) {
  const channels = notifications.map(({ channel, ok, error }) =>
    html(
      'li',
      {},
      ok ? badge('met', channel) : badge('error', channel),
      html('span', { class: 'main' }, error ?? 'sent'),
    ),
  );
  return [html('blockquote', {}, message), html('ul', { class: 'lines' }, ...channels)];
}

/**
 * @param {StreamedDeploy['log'][number]} line
 * @param {number} startedAt
 */
function logLine({ at, tag, text }, startedAt) {
  return html(
    'li',
    { class: tag ?? '' },
    html('span', { class: 'quiet' }, `+${readableDuration((at - startedAt) / 1000)}`),
    html('span', {}, tag === null ? '' : `[${tag}]`),
    html('span', { class: 'text' }, text),
  );
}
