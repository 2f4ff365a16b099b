import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { holdfast } from './support/holdfast.ts';
import { tagged } from './support/log.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite } from './support/site.ts';

for (const exists of [false, true]) {
  test(`the first deploy makes the checkout where ${exists ? 'an empty directory is' : 'there is nothing'}`, async (t) => {
    const site = await buildSite(t);
    const commit = site.git(site.developer, 'rev-parse', 'HEAD');
    rmSync(site.app, { recursive: true });
    if (exists) mkdirSync(site.app);
    const document = await deploy(quietHost(), site.settings({ clone: site.remote }));
    assert.equal(document.state, 'verified', site.log());
    assert.equal(document.previousCommit, null);
    assert.equal(site.head(), commit);
    assert.match(site.log(), /^\[INFO\] No previous commit: there is nothing to roll back to$/m);
    assert.doesNotMatch(site.log(), /fatal:|error:/);
    assert.deepEqual(
      document.steps.filter(({ exitCode }) => exitCode !== 0),
      [],
    );
    const next = site.push({ page: 'two' });
    assert.equal((await deploy(quietHost(), site.settings({ clone: site.remote }))).newCommit, next);
  });
}

test('a first deploy that fails stays, because there is nothing to go back to: exit 4', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ status: '500' });
  rmSync(site.app, { recursive: true });
  const document = await deploy(quietHost(), site.settings({ clone: site.remote }));
  assert.equal(document.exitCode, 4);
  assert.equal(site.head(), commit);
  assert.equal(tagged(site.log()).at(-1), `[ERROR] Stays at ${commit}: there is nothing better to go back to`);
});

test('a first deploy that was killed is finished by the next one', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  rmSync(site.app, { recursive: true });
  const caches = { clear: [], rebuild: [{ command: ['sh', '-c', 'kill -9 "$PPID"'] }] };
  writeFileSync(`${site.folder}/holdfast.yaml`, JSON.stringify({ deployment: { opcache: { wait: '0s' }, caches } }));
  assert.equal((await holdfast(site, ['deploy', '--clone', site.remote])).exitCode, -1);
  const document = await deploy(quietHost(), site.settings({ clone: site.remote }));
  assert.equal(document.state, 'verified', site.log());
  assert.equal(site.head(), commit);
});

test('after a first deploy that failed the next commit is deployed, and no rollback goes to the empty tree', async (t) => {
  const site = await buildSite(t);
  const first = site.push({ status: '500' });
  rmSync(site.app, { recursive: true });
  await deploy(quietHost(), site.settings({ clone: site.remote }));
  site.push({ status: '404' });
  const second = await deploy(quietHost(), site.settings({ clone: site.remote }));
  assert.equal(second.state, 'rolled-back-unhealthy', site.log());
  assert.equal(site.head(), first);
  site.push({ status: '200' });
  assert.equal((await deploy(quietHost(), site.settings({ clone: site.remote }))).state, 'verified', site.log());
});

test('a directory that is not empty and no checkout is not touched', async (t) => {
  const site = await buildSite(t);
  const document = await deploy(quietHost(), site.settings({ appDir: `${site.folder}/bin`, clone: site.remote }));
  assert.equal(document.exitCode, 2);
  assert.ok(!existsSync(`${site.folder}/bin/.git`));
});
