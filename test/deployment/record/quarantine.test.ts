import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

test('a failed commit is not deployed again by a timer, until the branch moves on', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  const bad = site.push({ status: '500' });
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 3);
  const calls = site.artisanCalls().length;
  for (const flags of [{}, { ifChanged: true }]) {
    const again = await deploy(quietHost(), site.settings(flags));
    assert.equal(again.exitCode, 6);
    assert.equal(site.head(), before);
  }
  assert.equal(site.artisanCalls().length, calls, 'nothing was touched');
  assert.match(
    tagged(site.log()).at(-1) ?? '',
    new RegExp(
      `^\\[ERROR\\] ${bad} was found bad before; push a new commit, or use --again: Health check failed \\(500\\)`,
    ),
  );
  const repaired = site.push({ status: '200' });
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, repaired);
});

test('--again deploys it once more, and a commit that then passes is free again', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  const settings = (flags = {}) =>
    site.settings(flags, { steps: { after: [{ command: ['sh', '-c', `[ ! -e .git/down ] || grep one page`] }] } });
  site.write('.git/down', '');
  const commit = site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), settings())).exitCode, 3);
  assert.equal(site.head(), before);
  rmSync(join(site.app, '.git/down'));
  assert.equal((await deploy(quietHost(), settings())).exitCode, 6);
  assert.equal((await deploy(quietHost(), settings({ again: true }))).exitCode, 0);
  assert.equal(site.head(), commit);
  assert.equal((await deploy(quietHost(), settings())).exitCode, 0);
});

test('a commit that a person rolled back from is not deployed again, and a second rollback goes further back', async (t) => {
  const site = await buildSite(t);
  const commits = [site.head()];
  await deploy(quietHost(), site.settings());
  for (const page of ['two', 'three']) {
    commits.push(site.push({ page }));
    await deploy(quietHost(), site.settings());
  }
  assert.equal((await rollback(quietHost(), site.settings())).newCommit, commits[1]);
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 6);
  assert.equal((await rollback(quietHost(), site.settings())).newCommit, commits[0], 'it does not bounce forward');
});

test('a deploy that was stopped does not quarantine its commit', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two', 'wait-route:cache': '30' });
  const host = quietHost();
  let stop: (name: 'SIGTERM') => void = () => {};
  const stopped = {
    ...host,
    onSignal: ((_, listener) => {
      stop = listener;
      return () => {};
    }) as typeof host.onSignal,
  };
  const running = deploy(stopped, site.settings());
  while (!site.artisanCalls().some((call) => call.startsWith('route:cache')))
    await new Promise((resolve) => setTimeout(resolve, 10));
  stop('SIGTERM');
  assert.equal((await running).exitCode, 143);
  const next = site.push({ 'wait-route:cache': null });
  assert.notEqual(next, commit);
  site.git(site.remote, 'update-ref', 'refs/heads/main', commit);
  const again = await deploy(quietHost(), site.settings({}, { caches: { clear: [], rebuild: [] } }));
  assert.equal(again.exitCode, 0, site.log());
});
