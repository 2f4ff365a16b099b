/** @import { StreamedDeploy } from '../deploys/deploy-stream.ts' */
import { showDeployParts } from './deploy-parts.js';
import { byId, html, setText, svg } from './elements.js';
import { readableDuration } from './figures.js';
import { listen } from './listen.js';
import { visitorLegend } from './visitor-bars.js';
import { drawWaterfall, waterfallLegend } from './waterfall.js';
import { counted, dayAndTime, short } from './words.js';

/** @type {StreamedDeploy | undefined} */
let shown;

/** @param {StreamedDeploy} deploy */
function show(deploy) {
  shown = deploy;
  const { kind, branch, directory, startedAt, state, by, message, mode, variant } = deploy;
  const words = state.replaceAll('-', ' ');
  document.title = `${words}: ${kind} of ${branch}`;
  setText('title', `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} of ${branch}`);
  const who = [by === null ? '' : `, by ${by}`, message === null ? '' : `: ${message}`].join('');
  setText('run-name', `${directory}, ${mode}, ${variant}, ${dayAndTime(startedAt)}${who}`);
  setText('state', state === 'running' ? '● live' : '○ ended');
  byId('state').className = `badge ${state === 'running' ? 'met' : ''}`;
  setText('announcement', deploy.doing ?? words);
  showNow(deploy);
  showCommits(deploy);
  showVisitors(deploy);
  showDeployParts(deploy);
  drawWaterfall(deploy);
}

/** @param {StreamedDeploy} deploy */
function showNow({ state, startedAt, finishedAt, now, doing, because, exitCode }) {
  const lasted = readableDuration(((finishedAt ?? now ?? startedAt) - startedAt) / 1000);
  const isRunning = state === 'running';
  const exit = exitCode === null ? '' : `, exit ${exitCode}`;
  setText('now-kicker', isRunning ? `For ${lasted}` : `After ${lasted}${exit}`);
  setText('now-title', isRunning ? (doing ?? '') : state.replaceAll('-', ' '));
  const why =
    state === 'killed' ? 'It was killed: the next deploy, or holdfast doctor --repair, repairs what it left' : because;
  setText('now-words', why ?? '');
  byId('now').className = `card wide-card ${state}`;
}

/** @param {StreamedDeploy} deploy */
function showCommits({ from, to, rollback }) {
  setText('commits', `${short(from)} → ${short(to)}`);
  const back = { running: 'goes back to', done: 'went back to', failed: 'could not go back to' };
  setText(
    'commit-words',
    rollback === null ? 'from the previous commit to the new one' : `${back[rollback.state]} ${short(rollback.to)}`,
  );
}

/** @param {StreamedDeploy} deploy */
function showVisitors({ visitors, probe }) {
  const sum = probe ?? visitors.reduce(added, { requests: 0, failed: 0, slow: 0, torn: 0 });
  if (sum.requests === 0) {
    setText('visitors', '–');
    setText('visitor-words', 'nobody was sent: --probe-rate asks for visitors');
    return;
  }
  setText('visitors', `${sum.failed} of ${sum.requests} failed`);
  byId('visitors').className = `figure ${sum.failed === 0 ? 'answer-good' : 'answer-bad'}`;
  const gap = probe === null || probe.failed === 0 ? '' : `, longest gap ${readableDuration(probe.longestGapSeconds)}`;
  setText('visitor-words', `${sum.torn} torn, ${sum.slow} slow of ${counted(sum.requests, 'request')}${gap}`);
}

/**
 * @param {{ requests: number, failed: number, slow: number, torn: number }} sum
 * @param {StreamedDeploy['visitors'][number]} one
 */
const added = (sum, { requests, failed, slow, torn }) => ({
  requests: sum.requests + requests,
  failed: sum.failed + failed,
  slow: sum.slow + slow,
  torn: sum.torn + torn,
});

byId('legend').replaceChildren(
  ...[...waterfallLegend(), ...visitorLegend()].map(({ swatch, meaning }) =>
    html('li', {}, svg('svg', { width: 14, height: 12, 'aria-hidden': 'true' }, swatch), ` ${meaning}`),
  ),
);
addEventListener('resize', () => shown && drawWaterfall(shown));
listen(`deploy-events${location.search}`, 'deploy', show);
