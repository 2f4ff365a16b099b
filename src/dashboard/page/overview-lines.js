/** @import { Overview } from '../overview/overview.ts' */
import { badge, html } from './elements.js';
import { downtimeCell, readableDuration } from './figures.js';
import { dayAndTime, short } from './words.js';

/** @param {Overview['deploys'][number]} deploy */
export function deployLine({ id, kind, branch, from, to, startedAt, finishedAt, state, because, by, message }) {
  const what = `${kind} of ${branch}: ${short(from)} → ${short(to)}`;
  const link = html('a', { href: `deploy?id=${encodeURIComponent(id)}` }, what);
  const took = finishedAt === null ? null : readableDuration((finishedAt - startedAt) / 1000);
  return line(badge(state, state.replaceAll('-', ' ')), link, [because, who(by, message)], startedAt, took);
}

/**
 * @param {string | null} by
 * @param {string | null} message
 */
function who(by, message) {
  const words = [...(by === null ? [] : [`by ${by}`]), ...(message === null ? [] : [message])];
  return words.length === 0 ? null : words.join(': ');
}

/** @param {Overview['releases'][number]} release */
export function releaseLine({ commit, run, kind, at, state, until, because }) {
  const link = html(
    'a',
    { href: `deploy?id=${encodeURIComponent(run)}` },
    html('code', {}, short(commit)),
    ` by ${kind}`,
  );
  const lasted = until === null ? null : `live for ${readableDuration((until - at) / 1000)}`;
  return line(badge(state, releaseWords[state]), link, [because], at, lasted);
}

const releaseWords = { live: 'live', replaced: 'replaced', bad: 'put back' };

/** @param {Overview['runs'][number]} run */
export function runLine({ folder, what, at, startedAt, finishedAt, state, words, reasons, downtimes }) {
  const link = html('a', { href: `run?run=${encodeURIComponent(folder)}` }, folder);
  const worst = downtimes
    .flatMap(({ scenario, downtime }) => (downtime === null ? [] : [{ scenario, downtime }]))
    .toSorted((one, other) => other.downtime.span.upperSeconds - one.downtime.span.upperSeconds)[0];
  const most =
    worst === undefined || worst.downtime.span.upperSeconds === 0
      ? null
      : `most downtime: ${worst.scenario}, ${downtimeCell(worst.downtime)}`;
  const took = finishedAt === null ? null : readableDuration((finishedAt - startedAt) / 1000);
  return line(badge(state, words), link, [what || null, reasons || null, most], at, took);
}

/**
 * @param {Element} sign
 * @param {Element} link
 * @param {readonly (string | null)[]} more
 * @param {number} at
 * @param {string | null} took
 */
function line(sign, link, more, at, took) {
  const rest = more.flatMap((words) => (words === null ? [] : [html('span', { class: 'quiet figures' }, words)]));
  return html(
    'li',
    {},
    sign,
    html('span', { class: 'main' }, link, ...rest),
    html('span', { class: 'when quiet' }, dayAndTime(at), ...(took === null ? [] : [html('br'), took])),
  );
}
