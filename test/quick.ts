import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../src/deployment/deploy.ts';
import { quietHost } from './deployment/support/quiet-host.ts';
import { buildSite } from './deployment/support/site.ts';
import { assertShown, healthyName } from './support/defect-expectations.ts';
import { rehearse } from './support/rehearse.ts';

// `npm run quick`: a whole rehearsal, a defect of each kind, a whole deploy. `npm test` has all of them elsewhere.

test('a rehearsal of the healthy cluster: every scenario as expected, all six criteria met', async (t) => {
  assertShown(healthyName, await rehearse(t));
});

for (const name of [
  'single-ingress-replica',
  'no-disruption-budget',
  'abrupt-termination',
  'budget-ignored',
  'server-errors-under-load',
  'api-lost-during-undo',
])
  test(`the defect ${name} fails what it breaks, and nothing else`, async (t) => {
    assertShown(name, await rehearse(t, { world: { defects: [name] } }));
  });

test('a deploy with real git: a good commit is verified, one that answers 500 is put back', async (t) => {
  const site = await buildSite(t);
  const good = site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  site.push({ page: 'three', status: '500' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'rolled-back', site.log());
  assert.deepEqual([site.head(), site.read('page')], [good, 'two']);
});
