/** @import { StreamedSeries } from '../stream.ts' */
import { showActions } from './action-list.js';
import { byId, html, setText, svg } from './elements.js';
import { showEnding } from './ending.js';
import { showJudged } from './judged.js';
import { laneLegend } from './lanes.js';
import { listen } from './listen.js';
import { markLegend } from './marks.js';
import { sectionAt } from './moments.js';
import { showNow } from './now.js';
import { player } from './player.js';
import { runPicture } from './run-picture.js';
import { showRunState } from './run-state.js';
import { showScenarios } from './scenario-list.js';
import { stagePicture } from './stage-picture.js';
import { trafficLegend } from './strip.js';

/** @type {StreamedSeries | undefined} */
let series;
/** The span that the close-up was last drawn for. */
let closeUpKey = '';
const time = player(show);
const run = runPicture(time.seek);
const stage = stagePicture();

/** @param {number} at */
function show(at) {
  if (series === undefined) return;
  const section = sectionAt(series, at);
  const key = `${section.from} ${section.to}`;
  if (key !== closeUpKey) {
    closeUpKey = key;
    setText('stage-title', `Close up: ${section.title}`);
    stage.draw(series, section);
  }
  run.show(at);
  stage.show(at);
  showNow(series, at);
  showScenarios(series, at, time.seek);
  showJudged(series, at);
  showActions(series, section, at);
  showEnding(series, at);
  showRunState(series, at);
}

function drawAll() {
  if (series === undefined) return;
  closeUpKey = '';
  run.draw(series);
  show(time.at());
}

/** @param {StreamedSeries} whole */
function take(whole) {
  series = whole;
  setText('run-name', `${series.run.id} on ${series.run.cluster}, ${series.run.tool}`);
  document.title = `${series.endings.at(-1)?.words ?? 'Live'}: ${series.run.id}`;
  closeUpKey = '';
  run.draw(series);
  time.take(series);
}

/**
 * @param {string} id
 * @param {number} width
 * @param {readonly { swatch: Element, meaning: string }[]} signs
 */
function legend(id, width, signs) {
  const items = signs.map(({ swatch, meaning }) =>
    html('li', {}, svg('svg', { width, height: 12, 'aria-hidden': 'true' }, swatch), ` ${meaning}`),
  );
  byId(id).replaceChildren(...items);
}

legend('traffic-legend', 12, trafficLegend());
legend('stage-legend', 24, [...markLegend(), ...laneLegend()]);
addEventListener('resize', drawAll);
listen(`events${location.search}`, 'series', take);
