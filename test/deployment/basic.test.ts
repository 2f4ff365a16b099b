import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { tagged } from './support/log.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite } from './support/site.ts';

const rebuilds = ['config:cache', 'route:cache', 'view:cache'].map((name) => `${name} --no-interaction --no-ansi`);

test('the basic variant fetches, resets, logs success, and then rebuilds the three caches', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  const commit = site.push({ page: 'two', status: '500' });
  const document = await deploy(quietHost(), site.settings({ variant: 'basic', healthUrl: undefined }));
  assert.equal(document.state, 'updated');
  assert.equal(document.exitCode, 0);
  assert.equal(document.httpStatus, null);
  assert.equal(site.head(), commit);
  assert.deepEqual(site.artisanCalls(), rebuilds);
  assert.equal(site.requests(), 0);
  assert.deepEqual(tagged(site.log()), [
    `[INFO] Previous commit: ${before}`,
    `[INFO] New commit: ${commit}`,
    `[SUCCESS] Updated to ${commit}`,
  ]);
  assert.ok(
    site.log().indexOf('[SUCCESS]') < site.log().indexOf('config:cache done'),
    'success is logged before the caches',
  );
});

test('a cache step that fails in the basic variant: exit 1, no rollback', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ 'fail-route:cache': '' });
  const document = await deploy(quietHost(), site.settings({ variant: 'basic' }));
  assert.equal(document.state, 'updated');
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), commit);
});
