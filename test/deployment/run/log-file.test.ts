import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast } from '../support/holdfast.ts';
import { buildSite } from '../support/site.ts';

test('a log in what visitors can read is refused before anything is written: exit 2', async (t) => {
  const site = await buildSite(t);
  site.push({ 'public/index.php': '<?php', page: 'two' });
  site.git(site.app, 'pull', '--quiet', 'origin', 'main');
  const before = site.head();
  site.push({ page: 'three' });
  mkdirSync(join(site.app, 'public/logs'));
  mkdirSync(join(site.app, 'storage/app/public'), { recursive: true });
  symlinkSync(join(site.app, 'public/logs'), join(site.folder, 'logs'));
  const places = ['app/public/deploy.log', 'app/public/logs/deploy.log', 'app/storage/app/public/d', 'logs/d'];
  const missing = ['app/public/not/yet/deploy.log', 'logs/yet/d'];
  for (const place of [...places, ...missing]) {
    const path = join(site.folder, place);
    const { exitCode, stderr } = await holdfast(site, ['deploy'], { LOG_FILE: path });
    assert.equal(exitCode, 2, place);
    assert.match(stderr, /^holdfast: The deployment log \S+ lies in \S+public, which web servers show to everybody: /);
    assert.equal(existsSync(path), false);
    const examined = await holdfast(site, ['doctor'], { LOG_FILE: path });
    assert.match(examined.stdout, /^! log {7}The deployment log \S+ lies in \S+public, which web servers show/m);
  }
  assert.equal(site.head(), before);
  const beside = await holdfast(site, ['deploy'], { LOG_FILE: join(site.app, 'storage/deploy.log') });
  assert.equal(beside.exitCode, 0, beside.stderr);
});

test('the usual folder of a site without a framework is refused too, and another one is not', async (t) => {
  const site = await buildSite(t);
  for (const [folder, code] of [
    ['public', 2],
    ['htdocs', 2],
    ['var', 0],
  ] as const) {
    mkdirSync(join(site.app, folder));
    const LOG_FILE = join(site.app, folder, 'deploy.log');
    const { exitCode, stderr } = await holdfast(site, ['deploy', '--preset', 'none'], { LOG_FILE });
    assert.equal(exitCode, code, stderr);
  }
});

test('the public folder of the live release is refused too', async (t) => {
  const site = await buildSite(t, 'releases');
  site.push({ 'public/index.php': '<?php' });
  assert.equal((await holdfast(site, ['deploy', '--mode', 'releases'])).exitCode, 0, site.log());
  const path = join(site.app, 'current/public/deploy.log');
  const { exitCode, stderr } = await holdfast(site, ['deploy', '--mode', 'releases'], { LOG_FILE: path });
  assert.deepEqual([exitCode, existsSync(path)], [2, false], stderr);
});

test('a file that git tracks cannot be the log: exit 2, and it stays as it is', async (t) => {
  const site = await buildSite(t);
  const LOG_FILE = join(site.app, 'page');
  const { exitCode, stderr } = await holdfast(site, ['deploy'], { LOG_FILE });
  assert.equal(exitCode, 2);
  assert.match(
    stderr,
    /^holdfast: The deployment log \S+ is a file that git tracks in \S+, and every deploy would reset it: /,
  );
  assert.equal(site.read('page'), 'one');
});

test('a log whose folder is missing: the sentence has the command that makes it', async (t) => {
  const site = await buildSite(t);
  const folder = join(site.folder, 'var/log/holdfast');
  const { exitCode, stderr } = await holdfast(site, ['deploy'], { LOG_FILE: `${folder}/app.log` });
  assert.equal(exitCode, 2);
  const command = `mkdir -p ${folder} && chown ${userInfo().username} ${folder}`;
  assert.equal(
    stderr,
    `holdfast: The deployment log cannot be written: the folder of ${folder}/app.log does not exist: ${command}.\n`,
  );
  writeFileSync(join(site.folder, 'file'), '');
  const inFile = await holdfast(site, ['deploy'], { LOG_FILE: join(site.folder, 'file/app.log') });
  assert.match(inFile.stderr, /^holdfast: The deployment log cannot be written: .*ENOTDIR/);
});
