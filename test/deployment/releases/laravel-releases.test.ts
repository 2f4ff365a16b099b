import assert from 'node:assert/strict';
import { chmodSync, readdirSync, realpathSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';
import { isTorn, visit } from '../support/visitors.ts';

const pageOf = (version: string): RegExp => new RegExp(`class=${version} view=${version} config=${version}<`);

test('releases of a real Laravel: no request fails or is torn while the link moves, forwards and back', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { mode: 'releases' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.match((await site.get('/')).body, pageOf('one'));
  // As many as a machine serves that is busy with other tests; the campaign asks as often as it can.
  const visitors = visit(t, site.url, 20);
  for (const version of ['two', 'three', 'four']) {
    site.pushVersion(version);
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.match((await site.get('/')).body, pageOf(version));
  }
  assert.equal((await rollback(quietHost(), site.settings())).state, 'verified', site.log());
  assert.match((await site.get('/')).body, pageOf('three'));
  const visits = await visitors.stop();
  t.diagnostic(`${visits.length} requests`);
  assert.ok(visits.length > 20);
  assert.deepEqual(
    visits.filter((each) => each.status !== 200 || isTorn(each)),
    [],
  );
});

test('a broken commit of a real Laravel is found, and the old release still has its own compiled views', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { mode: 'releases' });
  // Where php-fpm runs as another user, its group has to be able to write there.
  chmodSync(join(site.app, 'storage/framework/views'), 0o2775);
  await deploy(quietHost(), site.settings());
  const views = realpathSync(join(site.app, 'current/bootstrap/cache/views'));
  assert.equal(statSync(views).mode & 0o7777, 0o2775);
  const compiled = () => readdirSync(views).map((name) => [name, statSync(join(views, name)).mtimeMs]);
  const before = compiled();
  assert.ok(before.length > 0);
  site.pushVersion('broken', { broken: true });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'rolled-back', site.log());
  assert.match((await site.get('/')).body, pageOf('one'));
  assert.deepEqual(compiled(), before, 'nothing was compiled a second time, and nothing taken away');
});

test('behind a web server that gives php-fpm the path of the link no commit is verified, because the old release would go on', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { mode: 'releases', root: '$document_root' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  for (let request = 0; request < 8; request++) await site.get('/');
  site.pushVersion('two');
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back', site.log());
  assert.match(site.log(), /^\[ERROR\] Step opcache failed: php-fpm goes on with .*, not the link$/m);
});

test('a web server that still serves the checkout does not verify the first release', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  // opcache keeps no file that is younger than two seconds.
  const aged = new Date(Date.now() - 60_000);
  for (const path of ['public/index.php', 'app/Version.php']) utimesSync(join(site.app, path), aged, aged);
  for (let request = 0; request < 8; request++) await site.get('/');
  site.pushVersion('broken', { broken: true });
  const document = await deploy(quietHost(), site.settings({ mode: 'releases' }));
  assert.equal(document.state, 'rolled-back', site.log());
  assert.match(site.log(), /^\[ERROR\] Step opcache failed: php-fpm goes on with the checkout: .* serve current/m);
});

test('php-fpm drops the compiled files of a release that is removed', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { mode: 'releases' });
  site.push({ 'public/wasted.php': "<?php echo opcache_get_status(false)['memory_usage']['wasted_memory'];" });
  // What is younger than 5 s is forgotten by any request that forgets.
  const age = { command: ['find', '.', '-name', '*.php', '-exec', 'touch', '-d', '-1 minute', '{}', '+'] };
  const file = { opcache: { fastcgi: site.fastcgi }, releases: { keep: 1 }, steps: { after: [age] } };
  const settings = () => site.settings({}, file);
  assert.equal((await deploy(quietHost(), settings())).state, 'verified', site.log());
  assert.equal((await site.get('/wasted.php')).body, '0');
  site.pushVersion('two');
  assert.equal((await deploy(quietHost(), settings())).state, 'verified', site.log());
  assert.ok(Number((await site.get('/wasted.php')).body) > 0);
});
