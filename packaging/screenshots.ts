// Makes the pictures of README and docs, in docs/pictures: a rehearsal on a real terminal (tmux) as SVG, its report and the dashboard by headless
// Chromium as PNG. Debian's tmux and chromium. Look at every picture before it is committed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import { startBrowser } from '../test/support/browser.ts';
import { tmux } from '../test/support/tmux.ts';
import { terminalPicture } from './terminal-picture.ts';

const root = join(import.meta.dirname, '..');
const pictures = join(root, 'docs/pictures');
const program = join(root, 'bin/holdfast.js');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-pictures-'));
const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const t = { after: (end: () => unknown) => void endings.unshift(end) };

try {
  terminal();
  await pages();
} finally {
  for (const end of endings) await end();
}

function terminal(): void {
  const command = `${execPath} ${program} rehearse --out ${join(folder, 'seen')}`;
  const window = tmux(t, 90, command, { HOME: folder });
  window.until(/Instance hard kill, for (?:[4-9]\d s|1 min)[\s\S]*█/);
  write('terminal.svg', terminalPicture(window.screen({ colours: true }), 90));
}

async function pages(): Promise<void> {
  const run = join(folder, 'run');
  spawnSync(execPath, [program, 'rehearse', '--quiet', '--out', run], { cwd: folder });
  const browser = await startBrowser(t);
  const report = await browser.open(pathToFileURL(join(run, 'report.html')).href, { width: 1100, height: 1300 });
  // The first screens: the whole report is as long as a run.
  await report.value(
    "[...document.body.querySelectorAll('*')].forEach((one) => one.getBoundingClientRect().top > 1300 && one.remove())",
  );
  write('report.png', Buffer.from(await report.picture(), 'base64'));
  const dashboard = spawn(execPath, [program, 'dashboard', run], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => dashboard.kill());
  const [address] = await once(dashboard.stdout, 'data');
  const page = await browser.open(String(address).trim(), { width: 1100, height: 900 });
  await page.until("document.body.innerText.includes('Instance hard kill')");
  write('dashboard.png', Buffer.from(await page.picture(), 'base64'));
}

function write(name: string, picture: string | Uint8Array): void {
  writeFileSync(join(pictures, name), picture);
  stdout.write(`${join('docs/pictures', name)}\n`);
}
