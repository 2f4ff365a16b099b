import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const modesOf = (site: Site, ...paths: readonly string[]) =>
  paths.map((path) => (statSync(join(site.app, path)).mode & 0o777).toString(8));

test('a changed file gets the mode that git gives, not the one that a pull with another umask left', async (t) => {
  const site = await buildSite(t);
  site.push({ 'app/one': '1', 'app/two': '2', 'app/tool': '3', 'app/same': '4' });
  await deploy(quietHost(), site.settings());
  site.push({ 'app/one': '11', 'app/two': '22' });
  execFileSync('sh', ['-c', 'umask 077; git pull --quiet'], { cwd: site.app, stdio: 'ignore' });
  assert.deepEqual(modesOf(site, 'app/one', 'app/two', 'app/same'), ['600', '600', '644']);
  chmodSync(join(site.developer, 'app/tool'), 0o755);
  site.push({ 'app/one': '111', 'app/new': 'x' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.deepEqual(modesOf(site, 'app/one', 'app/new', 'app/tool'), ['644', '644', '755']);
});

test('a checkout whose files only its group may read, or may write, stays so', async (t) => {
  for (const [mode, executable] of [
    ['640', '750'],
    ['664', '775'],
    ['600', '700'],
  ] as const) {
    const site = await buildSite(t);
    for (const path of ['status', 'page', '.gitignore']) chmodSync(join(site.app, path), Number.parseInt(mode, 8));
    writeFileSync(join(site.developer, 'tool'), 'x', { mode: 0o755 });
    site.push({ page: 'two', added: 'x' });
    const ours = process.umask(0o022);
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    process.umask(ours);
    assert.deepEqual(modesOf(site, 'page', 'added', 'tool'), [mode, mode, executable]);
  }
});

test('a repository that is shared with the group is so in its files too', async (t) => {
  for (const [shared, expected] of [
    ['group', '664'],
    ['all', '664'],
    ['0640', '640'],
    ['umask', '644'],
  ] as const) {
    const site = await buildSite(t);
    site.git(site.app, 'config', 'core.sharedRepository', shared);
    site.push({ page: 'two' });
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.deepEqual(modesOf(site, 'page'), [expected], shared);
  }
});

test('what a pull under another umask brought is readable after the next deploy, also where that changes nothing of it', async (t) => {
  for (const next of ['nothing', 'another file']) {
    const site = await buildSite(t);
    const many = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`app/${name}`, name]));
    site.push({ ...many, 'app/one': '1', 'app/kept': '2', 'app/tool': '3' });
    await deploy(quietHost(), site.settings());
    chmodSync(join(site.app, 'app/kept'), 0o600);
    chmodSync(join(site.app, 'app'), 0o750);
    chmodSync(join(site.developer, 'app/tool'), 0o755);
    site.push({ 'app/one': '11', 'deep/er/new': 'x' });
    execFileSync('sh', ['-c', 'umask 077; git pull --quiet'], { cwd: site.app, stdio: 'ignore' });
    const brought = ['app/one', 'app/tool', 'deep', 'deep/er', 'deep/er/new'];
    assert.deepEqual(modesOf(site, ...brought), ['600', '700', '700', '700', '600']);
    if (next === 'another file') site.push({ page: 'two' });
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.deepEqual(modesOf(site, ...brought), ['644', '755', '755', '755', '644'], next);
    assert.deepEqual(modesOf(site, 'app/kept', 'app'), ['600', '750'], 'what its owner closed, and nobody changed');
  }
});
