import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { frame, tagged } from './support/log.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite } from './support/site.ts';

const clears = ['config:clear', 'cache:clear', 'route:clear', 'view:clear'];
const rebuilds = ['config:cache', 'route:cache', 'view:cache'];
const calls = (names: readonly string[]) => names.map((name) => `${name} --no-interaction --no-ansi`);

test('a good commit is verified: fetched, reset, caches cleared and rebuilt in order, health exactly 200', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  const commit = site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'verified');
  assert.equal(document.exitCode, 0);
  assert.equal(document.previousCommit, before);
  assert.equal(document.newCommit, commit);
  assert.equal(document.httpStatus, 200);
  assert.equal(site.head(), commit);
  assert.equal(site.read('page'), 'two');
  assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '');
  assert.deepEqual(site.artisanCalls(), calls([...clears, ...rebuilds]));
  assert.equal(site.requests(), 2, 'one before anything is touched, and one decides');
  assert.deepEqual(frame(site.log()), [
    '===== Deployment started TIME =====',
    `[INFO] Previous commit: ${before}`,
    `[INFO] New commit: ${commit}`,
    `[SUCCESS] Health check passed (200) at ${commit}`,
    '===== Deployment completed TIME =====',
    '',
    '',
  ]);
});

test('a broken commit is rolled back: previous tree, three caches rebuilt, the site answers 200 again', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  const commit = site.push({ status: '500', page: 'broken' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back');
  assert.equal(document.exitCode, 3);
  assert.equal(document.newCommit, commit);
  assert.equal(document.httpStatus, 200, 'after the rollback');
  assert.equal(site.head(), before);
  assert.equal(site.read('page'), 'one');
  assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '');
  assert.equal((await fetch(site.healthUrl)).status, 200);
  assert.deepEqual(site.artisanCalls(), calls([...clears, ...rebuilds, ...rebuilds]));
  assert.deepEqual(tagged(site.log()), [
    `[INFO] Previous commit: ${before}`,
    `[INFO] New commit: ${commit}`,
    `[ERROR] Health check failed (500) at ${commit}`,
    `[ROLLBACK] Rolled back to ${before}`,
    `[INFO] Health check passed (200) at ${before}`,
  ]);
});

for (const status of [201, 204, 302, 304, 404, 503]) {
  test(`status ${status} is not 200: rolled back`, async (t) => {
    const site = await buildSite(t);
    site.push({ status: String(status) });
    const document = await deploy(quietHost(), site.settings());
    assert.equal(document.exitCode, 3);
    assert.match(site.log(), new RegExp(`^\\[ERROR\\] Health check failed \\(${status}\\)`, 'm'));
  });
}

test('no answer is 000: rolled back, and still unhealthy', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({ healthUrl: 'http://127.0.0.1:1/health' }));
  assert.equal(document.state, 'rolled-back-unhealthy');
  assert.equal(document.exitCode, 4);
  assert.equal(document.httpStatus, 0);
  assert.equal(site.head(), before);
  assert.match(site.log(), /^\[ERROR\] Health check failed \(000\)/m);
});

test('a cache step that fails is a failed verification', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ 'fail-route:cache': '' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 3);
  assert.equal(site.head(), before);
  assert.equal(site.requests(), 2, 'health is asked before the deploy and after the rollback only');
  assert.match(site.log(), /^\[ERROR\] Step route:cache failed: exit code 1: route:cache has failed$/m);
  assert.match(site.log(), /^ {2}route:cache has failed$/m);
});

test('a remote that cannot be reached ends the deploy: exit 1, the tree untouched', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.write('page', 'edited on the server');
  rmSync(site.remote, { recursive: true });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'aborted');
  assert.equal(document.exitCode, 1);
  assert.match(document.because ?? '', /^Git fetch failed: '.+' does not appear to be a git repository$/);
  assert.equal(site.head(), before);
  assert.equal(site.read('page'), 'edited on the server');
  assert.deepEqual(site.artisanCalls(), []);
  assert.equal(site.requests(), 1);
  assert.deepEqual(frame(site.log()), [
    '===== Deployment started TIME =====',
    `[INFO] Previous commit: ${before}`,
    '[ERROR] Git fetch failed',
    '===== Deployment completed TIME =====',
    '',
    '',
  ]);
});

test('a branch that was deleted upstream ends the deploy, although origin/BRANCH still exists here', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'other' }, 'other');
  await deploy(quietHost(), site.settings({ branch: 'other' }));
  const before = site.head();
  site.git(site.remote, 'branch', '-D', 'other');
  const document = await deploy(quietHost(), site.settings({ branch: 'other' }));
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
  assert.match(site.log(), /^\[ERROR\] Git fetch failed$/m);
});

test('a reset that fails ends the deploy: exit 1', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  writeFileSync(join(site.app, '.git', 'index.lock'), '');
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'aborted');
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
  assert.deepEqual(tagged(site.log()).at(-1), '[ERROR] Git reset failed');
});

test('local edits are discarded, and named in the log', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  site.write('page', 'edited on the server');
  site.write('status', '201');
  site.git(site.app, 'add', 'status');
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 0);
  assert.equal(site.head(), commit);
  assert.equal(site.read('page'), 'two');
  assert.match(
    site.log(),
    /^\[INFO\] Local edits that the reset discards, kept in [^\n]*\/local-edits\.patch: 2\n {2}page\n {2}status\n/m,
  );
});

test('files that git does not track and files that it ignores stay', async (t) => {
  const site = await buildSite(t);
  site.write('.env', 'APP_KEY=x');
  site.write('storage/upload', 'a picture');
  site.write('untracked', 'mine');
  site.push({ status: '500' });
  await deploy(quietHost(), site.settings());
  site.push({ status: '200' });
  await deploy(quietHost(), site.settings());
  assert.deepEqual(
    [site.read('.env'), site.read('storage/upload'), site.read('untracked')],
    ['APP_KEY=x', 'a picture', 'mine'],
  );
});

test('a tag with the name of the branch changes nothing', async (t) => {
  const site = await buildSite(t);
  for (const folder of [site.app, site.remote]) site.git(folder, 'tag', 'main');
  for (const folder of [site.app, site.remote]) site.git(folder, 'tag', 'origin/main');
  const commit = site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 0);
  assert.equal(site.head(), commit);
});

test('a checkout that has diverged is brought to the remote, with no merge', async (t) => {
  const site = await buildSite(t);
  site.write('page', 'committed on the server');
  site.git(site.app, 'commit', '--quiet', '--all', '--message', 'local');
  const commit = site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 0);
  assert.equal(site.head(), commit);
  assert.equal(site.git(site.app, 'rev-list', '--merges', '--count', 'HEAD'), '0');
});

test('a commit that is deployed already is verified all the same', async (t) => {
  const site = await buildSite(t);
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'verified');
  assert.equal(document.newCommit, document.previousCommit);
  assert.equal(site.artisanCalls().length, 7);
});

test('--if-changed does nothing where the branch has not moved', async (t) => {
  const site = await buildSite(t);
  const document = await deploy(quietHost(), site.settings({ ifChanged: true }));
  assert.equal(document.state, 'unchanged');
  assert.equal(document.exitCode, 0);
  assert.deepEqual(site.artisanCalls(), []);
  assert.equal(site.requests(), 1);
});

test('the settings may allow more than one health request', async (t) => {
  const site = await buildSite(t);
  site.push({ status: '500' });
  // The first one is before anything is touched.
  site.server.on('request', () => {
    if (site.requests() === 2) site.write('status', '200');
  });
  const document = await deploy(quietHost(), site.settings({ healthAttempts: '5' }));
  assert.equal(document.state, 'verified');
  assert.equal(site.requests(), 3);
});

test('a health address that never answers is given up after its time', async (t) => {
  const site = await buildSite(t);
  site.push({ status: '-1' });
  const startedAt = Date.now();
  const document = await deploy(quietHost(), site.settings({ healthTimeout: '300ms' }));
  assert.equal(document.exitCode, 3);
  assert.match(site.log(), /^\[ERROR\] Health check failed \(000\)/m);
  assert.ok(Date.now() - startedAt < 10_000);
});

test('visitors during the deploy are counted, in the log and in the document', async (t) => {
  const site = await buildSite(t);
  site.push({ status: '500', 'wait-route:cache': '0.5' });
  const monitor = { rate: 50, url: site.healthUrl, slow: '60s' };
  const document = await deploy(quietHost(), site.settings({}, { monitor }));
  assert.equal(document.state, 'rolled-back');
  assert.ok((document.probe?.requests ?? 0) > 20, JSON.stringify(document.probe));
  assert.ok((document.probe?.failed ?? 0) > 5);
  assert.ok((document.probe?.longestGapSeconds ?? 0) > 0.3);
  assert.match(
    site.log(),
    /^\[INFO\] Visitors during the deploy: \d+ requests, \d+ failed, 0 slow, 0 torn, longest gap [\d.]+ m?s$/m,
  );
});
