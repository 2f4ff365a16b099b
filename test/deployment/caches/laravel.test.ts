import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { breakAndRepair, warm } from '../support/break-and-repair.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';
import { visitAsFastAsServed } from '../support/visitors.ts';

test('a good commit is deployed without a failed step, and what is served is the new code', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  await warm(site);
  assert.match((await site.get('/')).body, /class=one view=one config=one/);
  const commit = site.pushVersion('two');
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'verified', site.log());
  assert.equal(document.newCommit, commit);
  // Not even one that looked for something and found nothing.
  assert.deepEqual(
    document.steps.filter(({ exitCode }) => exitCode !== 0),
    [],
  );
  assert.match((await site.get('/')).body, /class=two view=two config=two/);
  assert.equal((await rollback(quietHost(), site.settings(), { commit: 'HEAD~1' })).state, 'verified');
  assert.match((await site.get('/')).body, /class=one view=one config=one/);
});

test('broken commits are found and rolled back with a reset by FastCGI', async (t) => {
  if (!needsLaravel(t)) return;
  await breakAndRepair(await buildLaravel(t), 4);
});

test('broken commits are found and rolled back where php-fpm cannot be made to forget code', async (t) => {
  if (!needsLaravel(t)) return;
  const sites = await Promise.all(Array.from({ length: 3 }, () => buildLaravel(t, { deaf: true })));
  await Promise.all(sites.map((site) => breakAndRepair(site, 1)));
  for (const site of sites)
    assert.match(site.log(), /^\[INFO\] Waiting 3 s, because php-fpm at 127\.0\.0\.1:\d+ cannot be made to forget/m);
});

test('broken commits are found while visitors request pages', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const visitors = await visitAsFastAsServed(t, site.url);
  await breakAndRepair(site, 1);
  const visits = await visitors.stop();
  assert.ok(visits.length > 100);
});

test('where the old code would run for ever and php-fpm cannot be made to forget it, nothing is touched: exit 2', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { deaf: true, poolValues: { 'opcache.validate_timestamps': '0' } });
  await warm(site);
  const before = site.head();
  site.pushVersion('two');
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 2);
  assert.equal(site.head(), before);
  assert.match(
    site.log(),
    /^\[ERROR\] php-fpm at .* goes on running the old code, because opcache\.validate_timestamps is 0/m,
  );
});

test('where files are never looked at again, FastCGI still brings the new code', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { poolValues: { 'opcache.validate_timestamps': '0' } });
  await breakAndRepair(site, 2);
});

test('the wait is that of the pool that serves the site, whatever the command line’s PHP is set to', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { deaf: true, poolValues: { 'opcache.revalidate_freq': '4' } });
  await warm(site);
  site.pushVersion('two');
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.match(site.log(), /^\[INFO\] Waiting 5 s, because php-fpm at .* looks at its files every 4 s$/m);
  assert.match((await site.get('/')).body, /class=two view=two config=two/);
});

test('the pool that serves the site is found without being named', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { poolValues: { 'opcache.revalidate_freq': '600' } });
  await warm(site);
  site.pushVersion('broken', { broken: true });
  const document = await deploy(quietHost(), site.settings({}, { opcache: {} }));
  assert.equal(document.state, 'rolled-back', site.log());
  assert.doesNotMatch(site.log(), /Waiting .*because/);
  assert.equal((await site.get('/')).status, 200);
});
