import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { dashboard, type ServedDashboard } from '../../src/dashboard/dashboard.ts';
import { nodeHost } from '../../src/host/node.ts';
import { violations } from '../support/accessibility.ts';
import { type Browser, type Screen, startBrowser, type Tab } from '../support/browser.ts';
import { type Deployed, tenDeploys, tenRuns } from '../support/dashboard-scene.ts';
import { needs, whereIs } from '../support/needs.ts';

const cleanUps: (() => unknown)[] = [];
const untilTheEnd = { after: (clean: () => unknown) => cleanUps.unshift(clean) } as unknown as TestContext;
let browser: Browser;
let runs: readonly string[];
let deployed: Deployed;
let served: ServedDashboard;
let chat: string[];

/** Ten runs, ten deploys, and one browser for all tests. */
before(async () => {
  if (whereIs('chromium') === undefined || whereIs('php') === undefined) return;
  runs = await tenRuns(untilTheEnd);
  deployed = await tenDeploys(untilTheEnd, await chatRoom());
  const { app } = deployed.site;
  const checkout = { directory: app, stateFolder: `${app}/.git/holdfast` };
  served = await dashboard(nodeHost(), { runs: async () => runs, checkout }, { port: 0, token: 'a-token' });
  cleanUps.unshift(served.close);
  browser = await startBrowser(untilTheEnd);
});

async function chatRoom(): Promise<string> {
  chat = [];
  const room = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => chat.push(text));
    request.on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => room.listen(0, '127.0.0.1', resolve));
  cleanUps.unshift(() => {
    room.closeAllConnections();
    room.close();
  });
  return `http://127.0.0.1:${(room.address() as AddressInfo).port}/`;
}

after(async () => {
  for (const clean of cleanUps) await clean();
});

const whole = `document.readyState === 'complete' && document.getElementById('content')?.hidden !== true`;

/** Closed with the test. */
async function shown(t: TestContext, path: string, screen: Screen = {}): Promise<Tab> {
  const tab = await browser.open(`${served.url}${path}`, screen);
  t.after(() => tab.close().catch(() => undefined));
  await tab.until(whole);
  return tab;
}

const textOf = (tab: Tab, selector: string): Promise<string> =>
  tab.value(`document.querySelector('${selector}').innerText`);
const count = (tab: Tab, selector: string): Promise<number> =>
  tab.value(`document.querySelectorAll('${selector}').length`);
const comparison = (): string =>
  `compare?before=${encodeURIComponent(runs[1] ?? '')}&after=${encodeURIComponent(runs[0] ?? '')}`;

test('the dashboard lists ten deploys and ten runs, what was released, and how the downtime changed', async (t) => {
  if (!needs(t, 'chromium') || !needs(t, 'php')) return;
  const tab = await shown(t, '');
  assert.equal(await count(tab, '#deploys li'), 10);
  assert.equal(await count(tab, '#deploys .badge.verified'), 8);
  assert.match(
    await textOf(tab, '#deploys'),
    /aborted[\s\S]*gone[\s\S]*Git fetch failed[\s\S]*rolled back[\s\S]*\(500\)/,
  );
  assert.equal(await count(tab, '#runs li'), 10);
  assert.equal(await count(tab, '#runs .badge.pass'), 5);
  assert.match(
    await textOf(tab, '#runs'),
    /FAIL \(partial\)[\s\S]*node-drain[\s\S]*most downtime: Node drain, \d+\.\d s/,
  );
  const releases = await textOf(tab, '#releases');
  assert.match(releases, /^● live\n[\da-f]{7} by rollback[\s\S]*✗ put back\n[\da-f]{7} by deploy[\s\S]*– replaced/);
  assert.equal(await count(tab, '#releases .badge.live'), 1);
  assert.equal(await count(tab, '#trend-picture g'), 20);
  assert.equal(await textOf(tab, '#state'), '○ nothing runs');
});

test('a live deploy that rolls back is followed: steps, health, visitors, the way back, the message', async (t) => {
  if (!needs(t, 'chromium') || !needs(t, 'php')) return;
  const overview = await shown(t, '');
  const bad = deployed.beginBad();
  await overview.until(`document.querySelector('#deploys .badge').classList.contains('running')`);
  assert.equal(await textOf(overview, '#state'), '● live');
  const tab = await shown(t, await overview.value(`document.querySelector('#deploys a').getAttribute('href')`));
  await tab.until(`document.querySelector('#log').innerText.includes('route:cache')`);
  assert.equal(await textOf(tab, '#state'), '● live');
  assert.equal(await textOf(tab, '#now-title'), 'Rebuilds the caches and checks the health');
  assert.equal(await count(tab, '#waterfall .step.now'), 1);
  await tab.until(`document.querySelector('#visitors').innerText.endsWith('failed')`);
  bad.goOn();
  const document = await bad.ended;
  assert.equal(document.state, 'rolled-back');
  await tab.until(`document.getElementById('now-title').textContent === 'rolled back'`);
  assert.match(await textOf(tab, '#now-kicker'), /^After \d+\.\d s, exit 3$/);
  assert.match(await textOf(tab, '#rollback'), /^Went back from [\da-f]{7} to [\da-f]{7}: Health check failed \(500\)/);
  assert.match(
    await textOf(tab, '#health'),
    /✓ 200\n?before the deploy[\s\S]*✗ 500\n?of the new commit[\s\S]*✓ 200\n?after the rollback/,
  );
  assert.ok((await count(tab, '#waterfall .step.back')) >= 4);
  assert.equal(await count(tab, '#waterfall .step.failed'), 1, 'the health check');
  assert.equal(await textOf(tab, '#visitors'), `${document.probe?.failed} of ${document.probe?.requests} failed`);
  assert.ok((await count(tab, '#waterfall rect.bad')) >= 1);
  assert.equal(await textOf(tab, '#sent blockquote'), JSON.parse(chat.at(-1) ?? '').text);
  assert.match(
    await textOf(tab, '#log'),
    /\[ERROR\]\n?Health check failed[\s\S]*\[ROLLBACK\]\n?Rolled back to[\s\S]*Notified by slack/,
  );
  // A page that nobody sees keeps no connection, and is up to date when it is seen again.
  await overview.show();
  await overview.until(`document.querySelector('#deploys .badge').classList.contains('rolled-back')`);
  assert.deepEqual([...tab.troubles, ...overview.troubles], []);
});

test('two runs are compared: what became worse, new findings, and the bounds as a picture', async (t) => {
  if (!needs(t, 'chromium') || !needs(t, 'php')) return;
  const tab = await shown(t, comparison());
  assert.match(await textOf(tab, '.verdict'), /WORSE/);
  assert.match(await textOf(tab, 'table'), /Manual node drain\s+pass, 0\.0 s\s+fail, \d+\.\d s\s+✗ worse/);
  assert.match(await textOf(tab, 'main'), /Criterion 2 .* was met, is not met\.[\s\S]*nginx-pdb keeps no pod/);
  assert.equal(await count(tab, 'svg .bounds.after .upper'), 2);
});

test('the keyboard alone leads from the list to a deploy, back, and to a comparison', async (t) => {
  if (!needs(t, 'chromium') || !needs(t, 'php')) return;
  const tab = await shown(t, '');
  const tabTo = async (selector: string): Promise<void> => {
    for (let presses = 0; presses < 60; presses++) {
      await tab.press('Tab');
      if (await tab.value(`document.activeElement?.matches('${selector}') ?? false`)) break;
    }
    const isSeen = `parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 1`;
    assert.ok(await tab.value(`document.activeElement.matches('${selector}') && ${isSeen}`), selector);
  };
  const goesTo = (part: string): Promise<void> => tab.until(`location.href.includes('${part}') && ${whole}`);
  await tabTo('#deploys li:nth-child(2) a');
  await tab.press('Enter');
  await goesTo('/deploy?id=');
  await tabTo('nav.back a');
  await tab.press('Enter');
  await goesTo('/overview');
  await tabTo('#before');
  await tab.press('ArrowDown');
  const chosen = await tab.value<string>(`document.getElementById('before').value`);
  await tabTo('#compare button');
  await tab.press('Enter');
  await goesTo('/compare?');
  assert.ok((await tab.value<string>('location.href')).includes(encodeURIComponent(chosen)));
  assert.deepEqual(tab.troubles, []);
});

const screens: readonly Screen[] = [{ width: 390 }, { dark: true }, { zoom: 2 }];

test('every page fits a phone, dark and 200 % zoom, has no violation of axe-core, and asks nobody else', async (t) => {
  if (!needs(t, 'chromium') || !needs(t, 'php')) return;
  const overview = await shown(t, '');
  const deploy = await overview.value<string>(`document.querySelector('#deploys a').getAttribute('href')`);
  for (const path of ['', deploy, comparison(), `run?run=${encodeURIComponent(runs[0] ?? '')}`])
    for (const screen of screens) {
      const tab = await shown(t, path, screen);
      const where = `${path} ${JSON.stringify(screen)}`;
      assert.ok(await tab.value('document.documentElement.scrollWidth <= innerWidth'), `${where} is too wide`);
      // Zoomed in it is the narrow page, only finer.
      if (screen.zoom === undefined) assert.deepEqual(await violations(tab), [], where);
      assert.deepEqual(tab.troubles, [], where);
      assert.deepEqual(
        tab.requests.filter((address) => !address.startsWith(served.url)),
        [],
        where,
      );
      assert.equal(await count(tab, 'h1'), 1);
      assert.equal(await count(tab, 'svg.picture:not([role=img][aria-label])'), 0);
      await tab.close();
    }
});
