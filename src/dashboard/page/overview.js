/** @import { Overview } from '../overview/overview.ts' */

import { byId, html, setText } from './elements.js';
import { listen } from './listen.js';
import { deployLine, releaseLine, runLine } from './overview-lines.js';
import { redraw } from './redraw.js';
import { drawTrend, hasTrend } from './trend-picture.js';
import { dayAndTime } from './words.js';

/** @type {Overview | undefined} */
let shown;

/** @param {Overview} overview */
function show(overview) {
  shown = overview;
  const { deploys, releases, runs } = overview;
  setText('directory', overview.directory === null ? '' : `checkout ${overview.directory}`);
  const live = deploys.some(({ state }) => state === 'running') || runs.some(({ state }) => state === 'live');
  setText('state', live ? '● live' : '○ nothing runs');
  byId('state').className = `badge ${live ? 'met' : ''}`;
  list('deploys', deploys, deployLine, `No deploys: ${overview.noDeploys}.`);
  list('releases', releases, releaseLine, '');
  list('runs', runs, runLine, 'No validation and no rehearsal in runs/ yet.');
  byId('release-section').hidden = releases.length === 0;
  setText('deploys-more', more(overview.olderDeploys, 'holdfast history'));
  setText('runs-more', more(overview.olderRuns, 'the folder runs'));
  showCompare(overview);
  showTrend();
  setText('announcement', announced(overview));
}

/**
 * @param {number} older
 * @param {string} where
 */
const more = (older, where) => (older === 0 ? '' : `and ${older} older ones in ${where}`);

/**
 * @template T
 * @param {string} id
 * @param {readonly T[]} lines
 * @param {(line: T) => Node} draw
 * @param {string} none
 */
function list(id, lines, draw, none) {
  redraw(id, JSON.stringify(lines), () =>
    lines.length === 0 ? [html('li', {}, html('span', { class: 'main quiet' }, none))] : lines.map(draw),
  );
}

/** @param {Overview} overview */
function announced({ deploys: [deploy], runs: [run] }) {
  const words = [
    ...(deploy === undefined ? [] : [`Last deploy: ${deploy.state.replaceAll('-', ' ')}.`]),
    ...(run === undefined ? [] : [`Last run: ${run.words}.`]),
  ];
  return words.join(' ');
}

/**
 * The choice of two runs; what somebody has chosen stays.
 * @param {Overview} overview
 */
function showCompare({ runs }) {
  const ended = runs.filter(({ finishedAt }) => finishedAt !== null);
  byId('compare').hidden = ended.length < 2;
  const key = JSON.stringify(ended.map(({ folder }) => folder));
  for (const [id, index] of /** @type {const} */ ([
    ['before', 1],
    ['after', 0],
  ])) {
    const select = /** @type {HTMLSelectElement} */ (byId(id));
    const chosen = select.value;
    redraw(id, key, () => ended.map((run) => html('option', { value: run.folder }, optionText(run))));
    const isThere = ended.some(({ folder }) => folder === chosen);
    select.value = (isThere ? chosen : ended[index]?.folder) ?? '';
  }
}

/** @param {Overview['runs'][number]} run */
const optionText = ({ folder, at, words }) => `${folder}: ${words}, ${dayAndTime(at)}`;

function showTrend() {
  if (shown === undefined) return;
  const isThere = hasTrend(shown.runs);
  byId('trend-section').hidden = !isThere;
  if (isThere) drawTrend(shown.runs);
}

addEventListener('resize', showTrend);
listen('overview-events', 'overview', show);
