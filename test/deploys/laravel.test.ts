import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { buildLaravel, needsLaravel } from './support/laravel.ts';
import { quietHost } from './support/quiet-host.ts';

test('a real Laravel: a good commit is deployed, and what is served is the new code', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  assert.match((await site.get('/')).body, /class=one view=one config=one/);
  const commit = site.pushVersion('two');
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'verified', site.log());
  assert.equal(document.newCommit, commit);
  assert.match((await site.get('/')).body, /class=two view=two config=two/);
});
