import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

test('rollback goes to the last verified commit, through the same caches and health check', async (t) => {
  const site = await buildSite(t);
  const first = site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  const second = site.push({ page: 'three' });
  await deploy(quietHost(), site.settings());
  const calls = site.artisanCalls().length;
  const requests = site.requests();
  const document = await rollback(quietHost(), site.settings());
  assert.equal(document.state, 'verified');
  assert.equal(document.exitCode, 0);
  assert.equal(document.previousCommit, second);
  assert.equal(document.newCommit, first);
  assert.equal(site.head(), first);
  assert.equal(site.read('page'), 'two');
  assert.equal(site.artisanCalls().length, calls + 7);
  assert.equal(site.requests(), requests + 2);
  assert.deepEqual(tagged(site.log()).slice(-4), [
    `[INFO] Previous commit: ${second}`,
    `[INFO] Rollback to: ${first}`,
    `[ROLLBACK] Rolled back to ${first}`,
    `[SUCCESS] Health check passed (200) at ${first}`,
  ]);
});

test('rollback --steps goes that many verified commits back, past commits that failed, and never forward again', async (t) => {
  const site = await buildSite(t);
  const commits: string[] = [];
  for (const page of ['two', 'three', 'four', 'five']) {
    commits.push(site.push({ page, status: '200' }));
    await deploy(quietHost(), site.settings());
    site.push({ page: `${page}, broken`, status: '500' });
    await deploy(quietHost(), site.settings());
  }
  assert.equal((await rollback(quietHost(), site.settings(), { steps: 2 })).newCommit, commits[1]);
  assert.equal(
    (await rollback(quietHost(), site.settings(), { steps: 1 })).newCommit,
    commits[0],
    'back, not to the fourth',
  );
  const tooFar = await rollback(quietHost(), site.settings(), { steps: 3 });
  assert.equal(tooFar.exitCode, 1);
  assert.match(
    site.log(),
    /^\[ERROR\] .*(only 1 verified commit is before the present one|no other commit has ever been verified)/m,
  );
  assert.equal(site.head(), commits[0]);
});

test('rollback goes to the commit that is named, also by the beginning of its id', async (t) => {
  const site = await buildSite(t);
  const first = site.head();
  site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  const document = await rollback(quietHost(), site.settings(), { commit: first.slice(0, 10) });
  assert.equal(document.exitCode, 0);
  assert.equal(site.head(), first);
});

test('a rollback by hand that ends unhealthy stays at its commit, and the log says so', async (t) => {
  const site = await buildSite(t);
  const broken = site.push({ status: '500' });
  await deploy(quietHost(), site.settings());
  site.git(site.app, 'fetch', 'origin', 'main');
  const document = await rollback(quietHost(), site.settings(), { commit: broken });
  assert.equal(document.state, 'rolled-back-unhealthy');
  assert.equal(document.exitCode, 4);
  assert.equal(site.head(), broken);
});

test('without a verified commit there is nothing to roll back to', async (t) => {
  const site = await buildSite(t);
  const document = await rollback(quietHost(), site.settings());
  assert.equal(document.exitCode, 1);
  assert.match(
    site.log(),
    /^\[ERROR\] .*no other commit has ever been verified\. Name one: holdfast rollback COMMIT$/m,
  );
});

test('a rollback of a deploy that cannot be done: exit 5, with the exact commands', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ status: '500' });
  const lock = join(site.app, '.git', 'index.lock');
  // The broken site locks git's index when its health is asked for.
  site.server.prependListener('request', () => {
    if (site.read('status') === '500') writeFileSync(lock, '');
  });
  const host = quietHost();
  const document = await deploy(host, site.settings());
  assert.ok(existsSync(lock));
  assert.equal(document.state, 'rollback-failed');
  assert.equal(document.exitCode, 5);
  assert.match(
    site.log(),
    new RegExp(`^\\[ERROR\\] The rollback to ${before} failed: on disk this file differs from ${before}: status$`, 'm'),
  );
  const commands = host.said().split('To roll back by hand:\n\n')[1]?.split('\n\n')[0] ?? '';
  assert.match(commands, new RegExp(`^cd ${site.app}\ngit reset --hard ${before}\nphp artisan config:cache`));
  rmSync(lock);
});

test('the site is still unhealthy after the rollback: exit 4', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.write('down', '');
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back-unhealthy');
  assert.equal(document.exitCode, 4);
  assert.equal(document.httpStatus, 503);
  assert.equal(site.head(), before);
});

test('a rollback goes to the last verified commit where the previous commit was never verified, and both are logged', async (t) => {
  const site = await buildSite(t);
  const good = site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  const bad = site.push({ status: '500' });
  const lock = join(site.app, '.git', 'index.lock');
  site.server.prependListener('request', () => {
    if (site.head() === bad) writeFileSync(lock, '');
  });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'rollback-failed');
  rmSync(lock);
  assert.equal(site.head(), bad);
  site.push({ status: '404' });
  const document = await deploy(quietHost(), site.settings({}, { health: { baseline: 'skip' } }));
  assert.equal(document.state, 'rolled-back', site.log());
  assert.equal(site.head(), good);
  assert.match(
    site.log(),
    new RegExp(`^\\[INFO\\] The previous commit ${bad} was never verified: rolling back to ${good}$`, 'm'),
  );
});

for (const [what, made, left] of [
  ['those from before the deploy are put back', false, 'as before the deploy'],
  ['those that the deploy has made are removed', true, undefined],
] as const)
  test(`a cache step that fails in the rollback is logged, manifests may keep the framework from starting: ${what}, and the rollback goes on`, async (t) => {
    const site = await buildSite(t);
    site.push({ 'fail-route:cache': '', '.gitignore': 'storage/\n.env\ncalls\nbootstrap/\n' });
    await deploy(quietHost(), site.settings({ variant: 'basic' }));
    const manifest = 'bootstrap/cache/services.php';
    if (!made) site.write(manifest, 'as before the deploy');
    const line = `mkdir -p bootstrap/cache && echo 'names a class that may be gone' > ${manifest}`;
    site.push({ status: '500', 'fail-route:cache': null });
    const steps = { before: [{ command: ['sh', '-c', line], on: 'deploy' }] };
    assert.equal((await deploy(quietHost(), site.settings({}, { steps }))).state, 'rolled-back', site.log());
    const inTheRollback = site.log().slice(site.log().indexOf('Health check failed'));
    const said = made ? `The caches stay cleared: ${manifest}` : 'The caches from before the deploy are put back';
    assert.match(
      inTheRollback,
      new RegExp(`^\\[ERROR\\] Step route:cache failed: .*^\\[INFO\\] ${said}\n.*\\[ROLLBACK\\]`, 'ms'),
    );
    assert.equal(site.read(manifest), left);
  });
