/** @import { Series } from '../series.ts' */
import { byId, html, setText } from './elements.js';
import { countAt } from './lanes.js';
import { bounds, lastUntil, seconds } from './moments.js';
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
 * @param {Series} series
 * @param {number} at
 * @param {number | undefined} since
 */
function showDowntime({ downtime, verifiedAt }, at, since) {
  const now = lastUntil(downtime, at) ?? none;
  if (verifiedAt === null || at < verifiedAt) {
    setText('downtime', '–');
    setText('downtime-bounds', 'The application is being deployed: downtime does not count yet.');
    setText('downtime-scenario', '');
    return;
  }
  setText('downtime', seconds(now.seconds));
  setText('downtime-bounds', now.seconds === 0 ? 'none so far' : bounds(now));
  const before = since === undefined ? undefined : (lastUntil(downtime, since) ?? none);
  setText('downtime-scenario', before === undefined ? '' : `in this scenario ${seconds(now.seconds - before.seconds)}`);
}

const none = { seconds: 0, lowerSeconds: 0, upperSeconds: 0 };

const answers = { good: '✓ in time', slow: '! slow', bad: '✗ failed', unknown: '? unknown', none: '–' };

/**
 * @param {Series} series
 * @param {number} at
 */
function showAnswer({ strip, lives }, at) {
  // At the exact end of the data there is no cell or stage any more.
  const before = at - 1;
  const answer = strip === null ? 'none' : stateAt(strip, before);
  setText('answer', answers[/** @type {keyof typeof answers} */ (answer)]);
  byId('answer').className = `figure answer-${answer}`;
  const [pods, nodes] = [countAt(lives, 'Pod', before), countAt(lives, 'Node', before)];
  setText('ready', `${pods.ready} of ${pods.total} pods ready, ${nodes.ready} of ${nodes.total} nodes`);
}

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
