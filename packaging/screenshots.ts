// Makes the pictures of README and docs, in docs/pictures: a rehearsal on a real terminal (tmux) as SVG; its report,
// the dashboard, a deploy that is rolled back and two runs side by side by headless Chromium as PNG. Debian's tmux,
// chromium and php. Look at every picture before it is committed. `-- pages` or `-- terminal` makes those alone.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, chdir, execPath, stdout } from 'node:process';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dashboard } from '../src/dashboard/dashboard.ts';
import { nodeHost } from '../src/host/node.ts';
import { type Browser, startBrowser, type Tab } from '../test/support/browser.ts';
import { tenDeploys, tenRuns } from '../test/support/dashboard-scene.ts';
import { tmux } from '../test/support/tmux.ts';
import { terminalPicture } from './terminal-picture.ts';

const root = join(import.meta.dirname, '..');
const pictures = join(root, 'docs/pictures');
const program = join(root, 'bin/holdfast.js');
/** Readers have no use for the name of a folder that is gone. */
const named = '/srv/www/app';
const folder = mkdtempSync(join(tmpdir(), 'holdfast-pictures-'));
const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const t = { after: (end: () => unknown) => void endings.unshift(end) };

try {
  const [only] = argv.slice(2);
  if (only !== 'pages') terminal();
  if (only !== 'terminal') await pages();
} finally {
  for (const end of endings) await end();
}

function terminal(): void {
  const command = `${execPath} ${program} rehearse --out ${join(folder, 'seen')}`;
  const window = tmux(t, 90, command, { HOME: folder }, 30);
  window.until(/Instance hard kill, for [\s\S]*^probes [▁▄?]*█/m);
  write('terminal.svg', terminalPicture(window.screen({ colours: true }), 90));
}

async function pages(): Promise<void> {
  chdir(folder);
  const run = 'runs/2026-01-11T00-00-00Z-rehearsal';
  spawnSync(execPath, [program, 'rehearse', '--quiet', '--out', run]);
  // Before the browser: virtual time goes on only where nothing else of this process runs.
  const runs = await tenRuns(t as TestContext, 'runs');
  const browser = await startBrowser(t);
  const report = await browser.open(pathToFileURL(join(folder, run, 'report.html')).href, {
    width: 1100,
    height: 1300,
  });
  // The first sections: the whole report is as long as a run.
  await report.value(
    "document.querySelectorAll('main > *, footer').forEach((one) => one.getBoundingClientRect().bottom > 1300 && one.remove())",
  );
  write('report.png', Buffer.from(await report.picture(), 'base64'));
  await dashboardPages(browser, run, runs);
}

/** Ten runs and ten deploys of a throw-away site, and the run above. */
async function dashboardPages(browser: Browser, run: string, runs: readonly string[]): Promise<void> {
  const { site, beginBad } = await tenDeploys(t as TestContext, await chat());
  const bad = beginBad();
  await nodeHost().clock.sleep(2.5);
  bad.goOn();
  await bad.ended;
  const checkout = { directory: named, stateFolder: `${site.app}/.git/holdfast` };
  const served = await dashboard(nodeHost(), { runs: async () => [run, ...runs], checkout }, { port: 0 });
  t.after(served.close);
  const shown = async (path: string, until: string): Promise<Tab> => {
    const page = await browser.open(`${served.url}${path}`, { width: 1100, height: 900 });
    await page.until(until);
    return page;
  };
  const picture = async (page: Tab) => Buffer.from(await page.picture(), 'base64');
  const replay = await shown(`run?run=${run}`, "document.body.innerText.includes('Instance hard kill')");
  write('dashboard.png', await picture(replay));
  const overview = await shown('overview', "document.querySelectorAll('#runs li').length > 10");
  const address = await overview.value<string>("document.querySelector('#deploys a').getAttribute('href')");
  await overview.value(
    "document.querySelectorAll('#releases li:nth-child(n + 5), #runs li:nth-child(n + 6)').forEach((one) => one.remove())",
  );
  write('overview.png', await picture(overview));
  const deploy = await shown(address, "document.getElementById('now-title')?.textContent === 'rolled back'");
  await deploy.value(
    `document.querySelectorAll('blockquote, pre').forEach((one) => { one.textContent = one.textContent.replaceAll('${site.app}', '${named}'); })`,
  );
  write('deploy.png', await picture(deploy));
  const compared = await shown(`compare?before=${runs[1]}&after=${runs[0]}`, "document.querySelector('table')");
  write('compare.png', await picture(compared));
}

/** Takes every message. */
async function chat(): Promise<string> {
  const room = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  await once(room.listen(0, '127.0.0.1'), 'listening');
  t.after(() => room.close());
  return `http://127.0.0.1:${(room.address() as AddressInfo).port}/`;
}

function write(name: string, picture: string | Uint8Array): void {
  writeFileSync(join(pictures, name), picture);
  stdout.write(`${join('docs/pictures', name)}\n`);
}
