import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import type { CommandResult, Host } from '../../../src/host/host.ts';
import { tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const evidence = (app: string, id: string) => join(app, '.git', 'holdfast', 'runs', id);

/** A host on which one command answers otherwise. */
function hostWhere(program: string, word: string, answer: Partial<CommandResult> | (() => void)): Host {
  const host = quietHost();
  return {
    ...host,
    run: async (command, options) => {
      const matches = command[0] === program && command.includes(word);
      if (!matches) return host.run(command, options);
      if (typeof answer === 'function') answer();
      return {
        exitCode: 1,
        stdout: '',
        stderr: '',
        seconds: 0,
        timedOut: false,
        ...(typeof answer === 'function' ? {} : answer),
      };
    },
  };
}

test('local edits are kept as a patch that brings them back', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ other: 'new' });
  site.write('page', 'edited on the server \u00e9\n');
  const { id } = await deploy(quietHost(), site.settings());
  const patch = join(evidence(site.app, id), 'local-edits.patch');
  assert.equal(statSync(evidence(site.app, id)).mode & 0o077, 0);
  site.git(site.app, 'checkout', '--quiet', before);
  site.git(site.app, 'apply', patch);
  assert.equal(site.read('page'), 'edited on the server \u00e9\n');
});

test('untracked files that the reset overwrites or deletes are logged and copied aside', async (t) => {
  const site = await buildSite(t);
  site.write('.env', 'APP_KEY=mine');
  site.write('newdata/user file', 'precious');
  site.write('up.txt', 'mine too');
  site.write('shallow', 'a file');
  site.push({ '.env': 'APP_KEY=theirs', newdata: 'a file now', 'up.txt': 'theirs', 'shallow/deep': 'x' });
  const { id, state } = await deploy(quietHost(), site.settings());
  assert.equal(state, 'verified', site.log());
  assert.match(
    site.log(),
    /^\[INFO\] Untracked files that the reset overwrites or deletes, kept in [^\n]*: 4\n {2}\.env\n {2}newdata\n {2}shallow\n {2}up\.txt\n/m,
  );
  const kept = (path: string) => readFileSync(join(evidence(site.app, id), 'files', path), 'utf8');
  assert.deepEqual(['.env', 'newdata/user file', 'up.txt', 'shallow'].map(kept), [
    'APP_KEY=mine',
    'precious',
    'mine too',
    'a file',
  ]);
  assert.equal(site.read('.env'), 'APP_KEY=theirs');
});

test('with localEdits: refuse nothing is touched where a reset would discard something', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  site.write('page', 'edited');
  const document = await deploy(quietHost(), site.settings({}, { localEdits: 'refuse' }));
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
  assert.equal(site.read('page'), 'edited');
});

for (const [what, space] of [
  ['bytes', { bytes: 1_000_000, files: 100_000 }],
  ['files', { bytes: 1e12, files: 10 }],
] as const) {
  test(`where there are too few ${what} for the commit and a rollback, nothing is touched`, async (t) => {
    const site = await buildSite(t);
    const before = site.head();
    site.push({ page: 'two'.repeat(1000) });
    const host = quietHost();
    const full = { ...host, files: { ...host.files, freeSpace: async () => space } };
    const document = await deploy(full, site.settings());
    assert.equal(document.exitCode, 1);
    assert.equal(site.head(), before);
    assert.match(
      site.log(),
      new RegExp(`^\\[ERROR\\] Making room .* ${what} (are free|can be made) and \\d+ may be needed`, 'm'),
    );
  });
}

test('new files get the permissions of the present ones, whatever the umask of this process is', async (t) => {
  const site = await buildSite(t);
  for (const name of readdirSync(site.app)) if (name !== '.git') chmodSync(join(site.app, name), 0o640);
  site.push({ added: 'x', page: 'two', 'script.sh': '#!/bin/sh\n' });
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  await deploy(quietHost(), site.settings());
  for (const path of ['added', 'page']) assert.equal(statSync(join(site.app, path)).mode & 0o777, 0o640, path);
  assert.doesNotMatch(site.log(), /New files without/);
});

test('files that a rollback writes get them too, automatic and by hand', async (t) => {
  const site = await buildSite(t);
  const chmodAll = () => {
    for (const name of readdirSync(site.app)) if (name !== '.git') chmodSync(join(site.app, name), 0o640);
  };
  site.push({ gone: 'x' });
  await deploy(quietHost(), site.settings());
  chmodAll();
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  site.push({ page: 'two', gone: null, status: '500' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'rolled-back');
  for (const path of ['gone', 'page']) assert.equal(statSync(join(site.app, path)).mode & 0o777, 0o640, path);
  site.push({ status: '200' });
  await deploy(quietHost(), site.settings());
  assert.equal((await rollback(quietHost(), site.settings())).state, 'verified');
  for (const path of ['gone', 'page']) assert.equal(statSync(join(site.app, path)).mode & 0o777, 0o640, path);
});

test('files that the reset overwrote come back when the deploy is rolled back', async (t) => {
  const site = await buildSite(t);
  site.write('storage/upload', 'ours');
  site.push({ 'storage/upload': 'theirs', status: '500' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back');
  assert.equal(site.read('storage/upload'), 'ours', site.log());
});

test('a rollback by hand keeps local edits and files in its way too', async (t) => {
  const site = await buildSite(t);
  const first = site.push({ newdata: 'theirs' });
  await deploy(quietHost(), site.settings());
  site.push({ newdata: null });
  await deploy(quietHost(), site.settings());
  site.write('page', 'edited');
  site.write('newdata', 'mine');
  const { id, state } = await rollback(quietHost(), site.settings(), { commit: first });
  assert.equal(state, 'verified', site.log());
  const kept = (path: string) => readFileSync(join(evidence(site.app, id), path), 'utf8');
  assert.match(kept('local-edits.patch'), /^\+edited/m);
  assert.equal(kept('files/newdata'), 'mine');
  assert.equal(site.read('newdata'), 'theirs');
});

test('a reset that fails half-way is undone', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  let done = false;
  const host = hostWhere('git', 'reset', {});
  const half: Host = {
    ...host,
    run: async (command, options) => {
      if (!command.includes('reset') || done) return quietHost().run(command, options);
      done = true;
      site.write('page', '');
      return { exitCode: 128, stdout: '', stderr: 'fatal: No space left on device\n', seconds: 0, timedOut: false };
    },
  };
  const document = await deploy(half, site.settings());
  assert.equal(document.state, 'aborted');
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
  assert.equal(site.read('page'), 'one');
  assert.deepEqual(tagged(site.log()).slice(-2), ['[ERROR] Git reset failed', `[INFO] Put back to ${before}`]);
});

test('a reset that fails half-way and cannot be undone: exit 5, with the exact commands', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const host = hostWhere('git', 'reset', () => site.write('page', ''));
  const document = await deploy(host, site.settings());
  assert.equal(document.state, 'rollback-failed');
  assert.equal(document.exitCode, 5);
  assert.match(site.log(), /^ {2}git reset --hard [0-9a-f]{40}$/m);
});

test('folders of untracked uploads are never read', async (t) => {
  const site = await buildSite(t);
  mkdirSync(join(site.app, 'storage', 'app'), { recursive: true });
  site.write('storage/app/upload', 'x');
  site.push({ page: 'two' });
  const { id } = await deploy(quietHost(), site.settings());
  assert.equal(existsSync(evidence(site.app, id)), false, 'nothing was thrown away, so nothing is kept');
  assert.equal(site.read('storage/app/upload'), 'x');
});
