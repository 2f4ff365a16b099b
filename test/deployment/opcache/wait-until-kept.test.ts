import assert from 'node:assert/strict';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { secondsUntilKept } from '../../../src/deployment/opcache/wait-until-kept.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';
import { visit } from '../support/visitors.ts';

test('opcache keeps a file from the second second after its time on', () => {
  assert.equal(secondsUntilKept([10_900], 11_000), 1);
  assert.equal(secondsUntilKept([10_000], 11_900), 0.1);
  assert.equal(secondsUntilKept([10_900], 12_000), 0);
  assert.equal(secondsUntilKept([], 12_000), 0);
  // Compiled views have a time that lies up to a second ahead.
  assert.equal(secondsUntilKept([1000, 12_900], 12_000), 2);
  assert.equal(secondsUntilKept([99_000], 12_000), 0);
});

test('a deploy right after another one waits until opcache keeps the files of that, where there are visitors', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  // opcache keeps this file from the first request on, however fast the site was built.
  utimesSync(join(site.app, 'public/index.php'), 1_500_000_000, 1_500_000_000);
  const visitors = visit(t, site.url, 10);
  site.pushVersion('two', { broken: true });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'rolled-back', site.log());
  site.pushVersion('three');
  const before = site.log().length;
  const host = quietHost();
  // The next deploy is at the moment of the rollback's reset, however slow the machine is.
  const at = statSync(join(site.app, 'app/Version.php')).mtimeMs;
  const rightAfter = { ...host, clock: { ...host.clock, wallAt: () => at } };
  assert.equal((await deploy(rightAfter, site.settings())).state, 'verified', site.log());
  await visitors.stop();
  assert.match(
    site.log().slice(before),
    /^\[INFO\] Waiting [1-4]\.\d s: opcache does not keep files that were just written$/m,
  );
});
