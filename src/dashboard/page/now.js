/** @import { Series } from '../series.ts' */
import { applicationsOf } from './applications.js';
import { byId, html, setText } from './elements.js';
import { boundedText, secondsText } from './figures.js';
import { countAt } from './lanes.js';
import { lastUntil } from './moments.js';
import { scenarioPhases } from './phase-bands.js';
import { stateAt } from './strip.js';

/**
 * The cards: the phase, the downtime and the last answer at that instant.
 * @param {Series} series
 * @param {number} at
 */
export function showNow(series, at) {
  const phase = lastUntil(series.phases, at);
  const scenario = series.scenarios.find(({ name }) => name === phase?.scenario);
  const ending = lastUntil(series.endings, at);
  if (ending !== undefined) words('The run has ended', ending.words, ending.reasons.join('; '));
  else if (scenario !== undefined) scenarioWords(series, scenario);
  else words('Phase', phaseTitles[phase?.name ?? 'pre-check'] ?? '', '');
  byId('now').className = `card wide-card ${ending?.verdict ?? ''}`;
  byId('now-title').className = ending === undefined ? '' : `verdict ${ending.verdict}`;
  showSteps(scenario === undefined ? undefined : phase?.name);
  showDowntime(series, at, scenario?.startedAt ?? undefined);
  showAnswer(series, at);
  showOpen(series, at);
}

/**
 * @param {Series} series
 * @param {Series['scenarios'][number]} scenario
 */
function scenarioWords({ scenarios }, scenario) {
  const number = scenarios.indexOf(scenario) + 1;
  words(`Scenario ${number} of ${scenarios.length}`, scenario.title, `Expected: ${scenario.expected}`);
}

/** @type {Readonly<Record<string, string>>} */
const phaseTitles = {
  'pre-check': 'Pre-check',
  apply: 'Apply and verify the application',
  pause: 'Between two scenarios',
  end: 'The end',
};

/**
 * @param {string} kicker
 * @param {string} title
 * @param {string} more
 */
function words(kicker, title, more) {
  setText('now-kicker', kicker);
  setText('now-title', title);
  setText('now-words', more);
}

/** @param {string | undefined} current */
function showSteps(current) {
  const list = byId('steps');
  if (list.dataset.current === (current ?? '')) return;
  list.dataset.current = current ?? '';
  const names = Object.keys(scenarioPhases);
  const reached = names.indexOf(current ?? '');
  list.replaceChildren(
    ...Object.values(scenarioPhases).map((label, index) => {
      const item = html('li', { class: index < reached ? 'done' : '' }, index < reached ? `✓ ${label}` : label);
      if (index === reached) item.setAttribute('aria-current', 'step');
      return item;
    }),
  );
  list.hidden = current === undefined;
}

/**
 * Of several applications the figure is that of the one that was down longest, and each has its own in words.
 * @param {Series} series
 * @param {number} at
 * @param {number | undefined} since
 */
function showDowntime(series, at, since) {
  const all = applicationsOf(series);
  const counted = all.filter(({ verifiedAt }) => verifiedAt !== null && at >= verifiedAt);
  const [first] = counted
    .map(({ downtime }) => ({ downtime, now: lastUntil(downtime, at) ?? none }))
    .toSorted((one, other) => other.now.seconds - one.now.seconds);
  if (first === undefined) {
    setText('downtime', '–');
    setText('downtime-bounds', 'The application is being deployed: downtime does not count yet.');
    setText('downtime-scenario', '');
    return;
  }
  setText('downtime', boundedText(first.now));
  setText('downtime-bounds', all.length === 1 ? soFar(first.now) : ofEach(all, at));
  const before = since === undefined ? undefined : (lastUntil(first.downtime, since) ?? none);
  setText(
    'downtime-scenario',
    before === undefined ? '' : `in this scenario ${secondsText(first.now.seconds - before.seconds)}`,
  );
}

/** @param {Series['downtimes'][number][number] | typeof none} now */
const soFar = (now) => (now.seconds === 0 ? 'none so far' : 'in which requests failed');

/**
 * @param {ReturnType<typeof applicationsOf>} all
 * @param {number} at
 */
function ofEach(all, at) {
  const words = all.map(({ name, verifiedAt, downtime }) => {
    if (verifiedAt === null || at < verifiedAt) return `${name}: being deployed`;
    const now = lastUntil(downtime, at) ?? none;
    return `${name}: ${now.seconds === 0 ? 'none so far' : boundedText(now)}`;
  });
  return words.join('; ');
}

const none = { seconds: 0, lowerSeconds: 0, upperSeconds: 0 };

const answers = { good: '✓ in time', slow: '! slow', bad: '✗ failed', unknown: '? unknown', none: '–' };

/**
 * Of several applications the worst answer, and whose it is.
 * @param {Series} series
 * @param {number} at
 */
function showAnswer(series, at) {
  // At the exact end of the data there is no cell or stage any more.
  const before = at - 1;
  const last = applicationsOf(series).map(({ name, strip }) => ({
    name,
    state: strip === null ? 'none' : stateAt(strip, before),
  }));
  const worst = worstFirst.find((state) => last.some((one) => one.state === state)) ?? 'none';
  const whose = worst === 'good' || worst === 'none' ? [] : last.filter(({ state, name }) => state === worst && name);
  const words = answers[/** @type {keyof typeof answers} */ (worst)];
  setText('answer', [words, whose.map(({ name }) => name).join(', ')].filter(Boolean).join(': '));
  byId('answer').className = `figure answer-${worst}`;
  const [pods, nodes] = [countAt(series.lives, 'Pod', before), countAt(series.lives, 'Node', before)];
  setText('ready', `${pods.ready} of ${pods.total} pods ready, ${nodes.ready} of ${nodes.total} nodes`);
}

const worstFirst = ['bad', 'slow', 'unknown', 'good'];

/**
 * @param {Series} series
 * @param {number} at
 */
function showOpen({ actions }, at) {
  const begun = actions.filter(
    ({ scenario, begunAt, isReversible }) => scenario !== null && begunAt <= at && isReversible,
  );
  const open = begun.filter(({ undos }) => lastUntil(undos, at) === undefined).length;
  const failed = actions.filter(({ undos }) => lastUntil(undos, at)?.state === 'failed').length;
  const words = ['No action to undo', '1 action to undo'][open] ?? `${open} actions to undo`;
  setText('open', failed === 0 ? words : `✗ ${failed} not undone: holdfast recover undoes them`);
  byId('open').className = failed === 0 ? 'quiet' : 'alarm';
}
