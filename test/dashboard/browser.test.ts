import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { rehearsalSite } from '../../src/cli/cluster/rehearsal-site.ts';
import { dashboard } from '../../src/dashboard/dashboard.ts';
import { nodeHost } from '../../src/host/node.ts';
import { rehearsalHost } from '../../src/rehearsal/host.ts';
import { verdictReasons, verdictWords } from '../../src/report/verdict.ts';
import { readRun } from '../../src/validation/judge/read-run.ts';
import { recoverRun } from '../../src/validation/procedure/recover.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { instanceKill } from '../../src/validation/scenarios/instance-kill.ts';
import { nodeDrain } from '../../src/validation/scenarios/node-drain.ts';
import { type Browser, startBrowser, type Tab } from '../support/browser.ts';
import { needs, whereIs } from '../support/needs.ts';
import { quietHost } from '../support/quiet-host.ts';
import { rehearse } from '../support/rehearse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const host = nodeHost();
const cleanUps: (() => unknown)[] = [];
const untilTheEnd = { after: (clean: () => unknown) => cleanUps.unshift(clean) } as unknown as TestContext;
let browser: Browser;
let finished: string;
let journal: readonly string[];
/** A run that could not undo everything, and what `recover` added to it. */
let lost: string;
let left: readonly string[];
let recovered: readonly string[];

/** A whole run, one that is recovered, and then one browser for all tests. */
before(async () => {
  if (whereIs('chromium') === undefined) return;
  finished = temporaryFolder(untilTheEnd);
  await rehearse(untilTheEnd, { folder: finished });
  journal = linesOf(finished);
  await rehearseAndRecover();
  browser = await startBrowser(untilTheEnd);
});

const linesOf = (folder: string): readonly string[] => readFileSync(`${folder}/journal.jsonl`, 'utf8').split(/(?<=\n)/);

async function rehearseAndRecover(): Promise<void> {
  lost = temporaryFolder(untilTheEnd);
  const world = { defects: ['api-lost-during-undo'] };
  const { rehearsal, facts } = await rehearse(untilTheEnd, {
    folder: lost,
    scenarios: [nodeDrain, instanceKill],
    world,
  });
  left = linesOf(lost);
  const saved = JSON.parse(JSON.stringify(rehearsal.world.save()));
  const later = rehearsalHost({ seed: '1', real: quietHost(), saved });
  const site = rehearsalSite(later);
  await later.run(() => recoverRun({ site, namespace: 'default', folder: lost, facts, run: 'test', cleanup: false }));
  recovered = linesOf(lost).slice(left.length).map(tenMinutesLater);
}

function tenMinutesLater(line: string): string {
  if (line === '\n') return line;
  const fact = JSON.parse(line);
  return `${JSON.stringify({ ...fact, at: new Date(Date.parse(fact.at) + 600_000).toISOString() })}\n`;
}

after(async () => {
  for (const clean of cleanUps) await clean();
});

async function shown(t: TestContext, folder: string, screen: Parameters<Browser['open']>[1] = {}): Promise<Tab> {
  const { port, close } = await dashboard(host, { run: folder }, { port: 0 });
  t.after(close);
  const tab = await browser.open(`http://127.0.0.1:${port}/`, screen);
  await tab.until(`!document.getElementById('content').hidden`);
  return tab;
}

function runOf(t: TestContext, facts: readonly string[], like: string = finished): string {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/journal.jsonl`, facts.join(''));
  writeFileSync(`${folder}/downtime.log`, readFileSync(`${like}/downtime.log`));
  return folder;
}

const lineOf = (words: string): number => journal.findIndex((line) => line.includes(words));

const goTo = (tab: Tab, second: number): Promise<void> =>
  tab.value(
    `{ const slider = document.getElementById('slider'); slider.value = ${second}; slider.dispatchEvent(new Event('input')); }`,
  );
const textOf = (tab: Tab, id: string): Promise<string> => tab.value(`document.getElementById('${id}').innerText`);
const count = (tab: Tab, selector: string): Promise<number> =>
  tab.value(`document.querySelectorAll('${selector}').length`);

test('the replay of a finished run shows its scenarios, six criteria and the result table, without browser errors', async (t) => {
  if (!needs(t, 'chromium')) return;
  const tab = await shown(t, finished);
  assert.equal(await count(tab, '#scenarios li'), scenarios.length);
  assert.equal(await count(tab, '#scenarios .badge.pass'), scenarios.length);
  assert.equal(await count(tab, '#criteria .badge.met'), 6);
  assert.equal(await textOf(tab, 'now-title'), 'PASS');
  const table = await textOf(tab, 'result-table');
  for (const words of ['Node Replacement Time', 'Scale up', 'Drift replace']) assert.ok(table.includes(words), words);
  assert.ok((await count(tab, '#run-picture path.bad')) > 0);
  assert.equal(await textOf(tab, 'state'), '▷ replay');
  assert.deepEqual(tab.troubles, []);
});

test('an earlier instant shows what was known then', async (t) => {
  if (!needs(t, 'chromium')) return;
  const tab = await shown(t, finished);
  const killed = JSON.parse(journal[lineOf('"terminate-instance"')] ?? '{}').at;
  const second = Math.round((Date.parse(killed) - Date.parse('2026-01-01T00:00:00Z')) / 1000);
  await goTo(tab, second + 40);
  assert.equal(await textOf(tab, 'now-title'), 'Instance hard kill');
  assert.equal(await count(tab, '#scenarios .badge.pass'), 4);
  assert.match(await textOf(tab, 'actions'), /terminate-instance[\s\S]*irreversible/);
  assert.equal(await textOf(tab, 'open'), `${await count(tab, '#actions .badge.open')} actions to undo`);
  assert.equal(await tab.value(`document.querySelector('#steps [aria-current]').textContent`), 'settle');
  assert.equal(await tab.value(`document.getElementById('ending').hidden`), true);
  await tab.value(`document.querySelectorAll('#scenarios button')[2].click()`);
  assert.equal(await textOf(tab, 'now-title'), 'Single replica');
  assert.deepEqual(tab.troubles, []);
});

test('the keyboard plays the run, from its start if the slider is at the end', async (t) => {
  if (!needs(t, 'chromium')) return;
  const tab = await shown(t, finished);
  await tab.value(`document.getElementById('speed').value = '180'`);
  await tab.value(`document.getElementById('slider').focus()`);
  await tab.press(' ');
  await tab.until(
    `Number(document.getElementById('slider').value) > 100 && Number(document.getElementById('slider').value) < 1500`,
  );
  await tab.press(' ');
  const stoppedAt = await tab.value<string>(`document.getElementById('slider').value`);
  await tab.press('ArrowLeft');
  assert.equal(await tab.value(`document.getElementById('slider').value`), String(Number(stoppedAt) - 1));
  assert.match(await tab.value(`document.getElementById('slider').getAttribute('aria-valuetext')`), /^\+\d+:\d\d, /);
  assert.deepEqual(tab.troubles, []);
});

test('a live run grows by itself, but an earlier instant that is shown stays', async (t) => {
  if (!needs(t, 'chromium')) return;
  const folder = runOf(t, journal.slice(0, lineOf('"scenario-finished","scenario":"scale-up"')));
  const tab = await shown(t, folder);
  assert.equal(await count(tab, '#scenarios .badge.pass'), 0);
  appendFileSync(`${folder}/journal.jsonl`, journal[lineOf('"scenario-finished","scenario":"scale-up"')] ?? '');
  await tab.until(`document.querySelectorAll('#scenarios .badge.pass').length === 1`);
  await goTo(tab, 60);
  appendFileSync(
    `${folder}/journal.jsonl`,
    journal.slice(lineOf('"scenario-started","scenario":"scale-down"')).join(''),
  );
  await tab.until(`document.getElementById('state').textContent === '▷ replay'`);
  assert.equal(await tab.value(`document.getElementById('slider').value`), '60');
  assert.deepEqual(tab.troubles, []);
});

test('the state is live, looking back or silent by the dashboard’s clock, not those of the run and of the browser', async (t) => {
  if (!needs(t, 'chromium')) return;
  for (const fastBySeconds of [0, 3600, -86_400]) {
    // The run's clock is virtual, so its facts have another date than its files.
    const folder = runOf(t, journal.slice(0, lineOf('"scenario-started","scenario":"node-drain"')));
    const file = `${folder}/journal.jsonl`;
    const setAge = (seconds: number) => {
      const then = Date.now() / 1000 - seconds;
      for (const name of ['journal.jsonl', 'downtime.log']) utimesSync(`${folder}/${name}`, then, then);
    };
    // Far ahead, so that the run stays live on a slow machine.
    setAge(-3600);
    const tab = await shown(t, folder, { fastBySeconds });
    const becomes = (state: string) => tab.until(`document.getElementById('state').textContent === '${state}'`);
    assert.equal(await textOf(tab, 'state'), '● live', `${fastBySeconds}`);
    assert.equal(await tab.value(`document.getElementById('follow').hidden`), true);
    await goTo(tab, 60);
    assert.equal(await textOf(tab, 'state'), '◁ looking back');
    setAge(31);
    await becomes('! no new data');
    appendFileSync(file, journal[lineOf('"scenario-started","scenario":"node-drain"')] ?? '');
    setAge(-3600);
    await becomes('◁ looking back');
    await tab.value(`document.getElementById('follow').click()`);
    assert.equal(await textOf(tab, 'state'), '● live');
    assert.deepEqual(tab.troubles, []);
  }
});

test('the end shows the verdict after `recover`, and the run’s end the verdict of then', async (t) => {
  if (!needs(t, 'chromium')) return;
  const folder = runOf(t, left, lost);
  const reported = async () => {
    const { result } = (await readRun(host.files, folder)) ?? {};
    assert.ok(result);
    return { title: verdictWords(result), words: verdictReasons(result).join('; ') };
  };
  const saidBy = async (tab: Tab) => ({ title: await textOf(tab, 'now-title'), words: await textOf(tab, 'now-words') });
  const [before, tab] = [await reported(), await shown(t, folder)];
  assert.match(before.words, /could not be undone/);
  assert.deepEqual(await saidBy(tab), before);
  assert.match(
    await textOf(tab, 'scenarios'),
    /Scale up\s+– left out[\s\S]*Manual node drain[\s\S]*\? inconclusive\s[\s\S]*Instance hard kill\s+– not tested/,
  );
  assert.equal(await tab.value(`document.getElementById('steps').hidden`), true, 'no phase goes on');
  assert.ok(await tab.value('document.documentElement.scrollWidth <= innerWidth'), 'an address is long');
  assert.match(await textOf(tab, 'open'), /^✗ \d not undone: holdfast recover undoes them$/);
  appendFileSync(`${folder}/journal.jsonl`, recovered.join(''));
  await tab.until(`document.getElementById('open').textContent === 'No action to undo'`);
  const after = await reported();
  assert.notDeepEqual(after, before);
  assert.deepEqual(await saidBy(tab), after);
  const replayed = await shown(t, folder);
  assert.deepEqual(await saidBy(replayed), after);
  await goTo(replayed, (await replayed.value<number>(`Number(document.getElementById('slider').max)`)) - 60);
  assert.deepEqual(await saidBy(replayed), before);
  assert.match(await textOf(replayed, 'actions'), /not undone/);
  assert.deepEqual([...tab.troubles, ...replayed.troubles], []);
});

test('text from the cluster never becomes markup', async (t) => {
  if (!needs(t, 'chromium')) return;
  const hostile = '</script><img src=x onerror=window.harmed=1><svg onload=window.harmed=1>\u2028';
  const facts = journal.map((line) => {
    const fact = JSON.parse(line);
    if (fact.type === 'run-started') fact.run = { ...fact.run, id: hostile, cluster: hostile };
    if (fact.type === 'action-intended') Object.assign(fact, { action: hostile, subject: hostile });
    if (fact.type === 'cluster-changed') fact.name = `${fact.name} ${hostile}`;
    if (fact.type === 'check-finished')
      fact.finding = { ...fact.finding, severity: 'error', subject: hostile, observed: hostile, advice: hostile };
    return `${JSON.stringify(fact)}\n`;
  });
  const tab = await shown(t, runOf(t, facts));
  await goTo(tab, 760);
  for (const id of ['run-name', 'actions', 'findings']) assert.ok((await textOf(tab, id)).includes('<img src=x'), id);
  assert.equal(await count(tab, 'img'), 0);
  assert.equal(await tab.value('typeof window.harmed'), 'undefined');
  assert.deepEqual(tab.troubles, []);
});

test('the page fits a phone and a desktop, in light and dark, and every picture has a text alternative', async (t) => {
  if (!needs(t, 'chromium')) return;
  for (const screen of [{ width: 420 }, { width: 1280, dark: true, reducedMotion: true }]) {
    const tab = await shown(t, finished, screen);
    for (const second of [0, 300, 760, 1940]) {
      await goTo(tab, second);
      assert.ok(await tab.value('document.documentElement.scrollWidth <= innerWidth'), `${screen.width} at ${second}`);
    }
    assert.equal(await count(tab, 'svg.picture[role=img][aria-label]'), 2);
    assert.equal(await count(tab, 'button:not([type])'), 0);
    assert.deepEqual(tab.troubles, []);
  }
});
