/** @import { Series } from '../series.ts' */
import { badge, html, setText } from './elements.js';
import { lastUntil, timeOfDay } from './moments.js';
import { redraw } from './redraw.js';

/**
 * The six criteria and the errors and warnings, as they were last judged before that instant.
 * @param {Series} series
 * @param {number} at
 */
export function showJudged({ judged, endings }, at) {
  const now = lastUntil(judged, at);
  const isFinal = lastUntil(endings, at) !== undefined;
  setText('criteria-when', now === undefined || isFinal ? '' : `as of ${timeOfDay(now.at)}`);
  redraw('criteria', JSON.stringify(now?.criteria ?? []), () =>
    now === undefined ? [html('li', { class: 'quiet' }, 'Not judged yet.')] : now.criteria.map(criterion),
  );
  redraw('findings', JSON.stringify(now?.findings ?? []), () => {
    const findings = now?.findings ?? [];
    return findings.length === 0 ? [html('p', { class: 'quiet' }, 'None so far.')] : findings.map(note);
  });
}

/** @param {Series['judged'][number]['criteria'][number]} criterion */
function criterion({ number, text, outcome, because }) {
  return html(
    'li',
    {},
    html('span', { class: 'quiet' }, number),
    html('span', {}, badge(outcome)),
    html('span', { class: 'because' }, text, html('br'), html('span', { class: 'quiet' }, because)),
  );
}

/** @param {Series['judged'][number]['findings'][number]} finding */
function note({ severity, subject, expected, observed, advice }) {
  const rows = [['Observed', observed], ...(advice === '' ? [] : [['Advice', advice]])];
  const details = rows.flatMap(([name = '', words = '']) => [html('dt', {}, name), html('dd', {}, words)]);
  return html(
    'details',
    { class: `note ${severity}`, ...(severity === 'error' ? { open: '' } : {}) },
    html('summary', {}, badge(severity), ` ${subject}: ${expected}`),
    html('dl', { class: 'rows' }, ...details),
  );
}
