import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { buildLaravel, needsLaravel } from '../deploys/support/laravel.ts';
import { quietHost } from '../deploys/support/quiet-host.ts';
import { visitAsFastAsServed } from '../deploys/support/visitors.ts';

// Every core is busy here, so what it finds depends on the machine: no test for every commit.
test('laravel-atomic under as many requests as are served: none fails', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const visitors = await visitAsFastAsServed(t, site.url);
  for (const version of ['two', 'three', 'four']) {
    site.pushVersion(version);
    assert.equal(
      (await deploy(quietHost(), site.settings({ preset: 'laravel-atomic' }))).state,
      'verified',
      site.log(),
    );
  }
  const visits = await visitors.stop();
  assert.ok(visits.length > 100);
  const failed = visits.filter(({ status }) => status !== 200);
  assert.ok(failed.length <= 1, `${failed.length} of ${visits.length} failed: ${JSON.stringify(failed[0])}`);
});
