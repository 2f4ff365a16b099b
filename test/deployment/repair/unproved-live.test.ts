import assert from 'node:assert/strict';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { OperationError } from '../../../src/host/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { holdfast } from '../support/holdfast.ts';
import { tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/** A verified commit, and a broken one after it whose rollback failed: git's index was locked. */
async function rollbackFailed(site: Site): Promise<readonly [good: string, bad: string]> {
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
  const good = site.head();
  const bad = site.push({ page: 'two', added: 'by two', status: '500' });
  // The broken site locks git's index when its health is asked for.
  const lock = () => {
    if (site.read('status') === '500') writeFileSync(join(site.app, '.git', 'index.lock'), '');
  };
  site.server.prependListener('request', lock);
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 5, site.log());
  site.server.off('request', lock);
  return [good, bad];
}

test('after a rollback that failed status and doctor name the live commit, a deploy says that it was found bad, and doctor --repair goes back', async (t) => {
  const site = await buildSite(t);
  const [good, bad] = await rollbackFailed(site);
  const named = `The live commit ${bad} was found bad: Health check failed (500) at ${bad}; holdfast doctor --repair goes back to ${good}.`;
  const status = await holdfast(site, ['status']);
  assert.deepEqual([status.exitCode, status.stdout.includes(`! ${named}\n`)], [1, true], status.stdout);
  const doctor = await holdfast(site, ['doctor']);
  assert.deepEqual([doctor.exitCode, doctor.stdout.includes(`! state     ${named}\n`)], [1, true], doctor.stdout);
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 6);
  assert.match(tagged(site.log()).at(-1) ?? '', new RegExp(`^\\[ERROR\\] ${bad} was found bad before; push`));
  assert.ok((await holdfast(site, ['status'])).stdout.includes(named), 'as long as it is live');
  const repaired = await holdfast(site, ['doctor', '--repair']);
  assert.deepEqual([repaired.exitCode, repaired.stdout], [0, `unchanged at ${good}, exit 0\n`], site.log());
  assert.deepEqual([site.head(), site.read('page'), site.read('added')], [good, 'one', undefined]);
  assert.equal((await fetch(site.healthUrl)).status, 200);
  assert.match(site.log(), /^\[INFO\] Could not go back: \S+$/m);
  assert.equal((await holdfast(site, ['status'])).exitCode, 0);
});

test('in releases too doctor --repair finishes the rollback that failed', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  const [good, before] = [site.head(), realpathSync(join(site.app, 'current'))];
  site.push({ status: '500' });
  const real = quietHost();
  const link: Host['files']['link'] = (path, target) =>
    target === before
      ? Promise.reject(new OperationError({ tried: 'Linking', on: path, reason: 'EIO' }))
      : real.files.link(path, target);
  assert.equal((await deploy({ ...real, files: { ...real.files, link } }, site.settings())).exitCode, 5);
  const status = await holdfast(site, ['status', '--mode', 'releases']);
  assert.match(
    status.stdout,
    new RegExp(`^! The live commit .*; holdfast doctor --repair goes back to ${good}\\.$`, 'm'),
  );
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
  assert.deepEqual([site.head(), realpathSync(join(site.app, 'current'))], [good, before]);
  assert.equal((await holdfast(site, ['status', '--mode', 'releases'])).exitCode, 0);
});

test('an unhealthy commit that a person asked for stays: the log, status and doctor --repair name a better one, and the command', async (t) => {
  const site = await buildSite(t);
  const broken = site.push({ page: 'two', status: '500' });
  site.git(site.app, 'fetch', 'origin', 'main');
  const good = site.push({ page: 'three', status: '200' });
  await deploy(quietHost(), site.settings());
  const asked = await holdfast(site, ['rollback', broken]);
  const because = `because: Health check failed (500) at ${broken}`;
  assert.deepEqual([asked.exitCode, asked.stdout], [4, `rolled-back-unhealthy at ${broken}, exit 4\n${because}\n`]);
  assert.equal(
    tagged(site.log()).at(-1),
    `[ERROR] Stays at ${broken}: ${good} is what was verified last, and holdfast rollback ${good} goes back to it`,
  );
  const named = `The live commit ${broken} was never verified; holdfast rollback ${good} goes back to ${good}.`;
  assert.ok((await holdfast(site, ['status'])).stdout.includes(`! ${named}\n`));
  const repaired = await holdfast(site, ['doctor', '--repair']);
  assert.deepEqual([repaired.exitCode, repaired.stdout], [1, `aborted at ${broken}, exit 1\nbecause: ${named}\n`]);
  assert.equal(tagged(site.log()).at(-1), `[ERROR] ${named}`);
  assert.equal(site.head(), broken, 'it was asked for');
  const back = await rollback(quietHost(), site.settings(), { commit: good });
  assert.deepEqual([back.exitCode, site.head()], [0, good], site.log());
  assert.equal((await holdfast(site, ['status'])).exitCode, 0);
});

test('a rollback to the last verified commit that ends unhealthy names no better one', async (t) => {
  const site = await buildSite(t);
  await deploy(quietHost(), site.settings());
  site.write('down', '');
  const document = await rollback(quietHost(), site.settings(), { commit: site.head() });
  assert.equal(document.exitCode, 4);
  assert.equal(tagged(site.log()).at(-1), `[ERROR] Stays at ${site.head()}: there is nothing better to go back to`);
  assert.deepEqual(JSON.parse((await holdfast(site, ['status', '--json'])).stdout).commitTrouble, null);
});

test('a first deploy that fails has no commit to go back to, and status says what ends that', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ status: '500' });
  rmSync(site.app, { recursive: true });
  assert.equal((await deploy(quietHost(), site.settings({ clone: site.remote }))).exitCode, 4);
  const { exitCode, stdout } = await holdfast(site, ['status']);
  assert.equal(exitCode, 1);
  const named = `! The live commit ${commit} was never verified; no commit ever passed: deploy one that is healthy.\n`;
  assert.ok(stdout.includes(named), stdout);
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 1, 'there is nothing to repair it with');
});

test('doctor --repair ends with 1 where the repaired commit is unhealthy', async (t) => {
  const site = await buildSite(t);
  const [good] = await rollbackFailed(site);
  site.write('down', '');
  const document = await repairNow(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode, site.head()], ['aborted', 1, good], site.log());
  assert.equal(tagged(site.log()).at(-1), `[ERROR] Repaired: Health check failed (503) at ${good}`);
  rmSync(join(site.app, 'down'));
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
});
