/** @import { Series } from '../series.ts' */
import { byId, html, say } from './elements.js';
import { countAt } from './lanes.js';
import { bounds, lastUntil, seconds } from './moments.js';
import { scenarioPhases } from './phase-bands.js';
import { stateAt } from './strip.js';

/**
 * What goes on at that moment, in a few large words.
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
  say('now-kicker', kicker);
  say('now-title', title);
  say('now-words', more);
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
    say('downtime', '–');
    say('downtime-bounds', 'The application is being made: nothing counts yet.');
    say('downtime-scenario', '');
    return;
  }
  say('downtime', seconds(now.seconds));
  say('downtime-bounds', now.seconds === 0 ? 'none so far' : bounds(now));
  const before = since === undefined ? undefined : (lastUntil(downtime, since) ?? none);
  say('downtime-scenario', before === undefined ? '' : `in this scenario ${seconds(now.seconds - before.seconds)}`);
}

const none = { seconds: 0, lowerSeconds: 0, upperSeconds: 0 };

const answers = { good: '✓ in time', slow: '! slow', bad: '✗ failed', unknown: '? not known', none: '–' };

/**
 * @param {Series} series
 * @param {number} at
 */
function showAnswer({ strip, lives }, at) {
  // At its very end nothing has come of a cell or a life any more.
  const before = at - 1;
  const answer = strip === null ? 'none' : stateAt(strip, before);
  say('answer', answers[/** @type {keyof typeof answers} */ (answer)]);
  byId('answer').className = `figure answer-${answer}`;
  const [pods, nodes] = [countAt(lives, 'Pod', before), countAt(lives, 'Node', before)];
  say('ready', `${pods.ready} of ${pods.there} pods ready, ${nodes.ready} of ${nodes.there} nodes`);
}

/**
 * @param {Series} series
 * @param {number} at
 */
function showOpen({ deeds }, at) {
  const begun = deeds.filter(
    ({ scenario, begunAt, isReversible }) => scenario !== null && begunAt <= at && isReversible,
  );
  const open = begun.filter(({ undos }) => lastUntil(undos, at) === undefined).length;
  const failed = deeds.filter(({ undos }) => lastUntil(undos, at)?.state === 'failed').length;
  const words = ['Nothing is to be undone', '1 action is to be undone'][open] ?? `${open} actions are to be undone`;
  say('open', failed === 0 ? words : `✗ ${failed} not undone: holdfast recover undoes them`);
  byId('open').className = failed === 0 ? 'quiet' : 'alarm';
}
