import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { buildSite } from '../support/site.ts';

const lockOf = (app: string) => join(app, '.git', 'holdfast', 'lock.json');
const hold = 'hold-config:clear';

test('two at once: one deploys, the other gets exit 6, hears who deploys and why, and its lines stay together', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  site.write(hold, '');
  const first = startHoldfast(site, ['deploy', '--message', 'a big release'], { SUDO_USER: 'alice' });
  await until(() => site.artisanCalls().length > 0, 'the first deploy has reached its caches');
  const second = await holdfast(site, ['deploy', '--json']);
  assert.equal(second.exitCode, 6);
  assert.equal(JSON.parse(second.stdout).exitCode, 6);
  rmSync(join(site.app, hold));
  assert.equal((await first.ended).exitCode, 0);
  assert.equal(site.head(), commit);
  assert.match(
    site.log(),
    new RegExp(
      `^===== Deployment started [^\n]+\n\\[ERROR\\] Another deploy holds the lock: process ${first.child.pid} on [^\n]+, by alice by sudo as [^\n]+: a big release\\.\n===== Deployment completed [^\n]+\n\n`,
      'm',
    ),
  );
});

test('20 at once: exactly one deploys, also over the lock of a dead one', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  site.write(hold, '');
  const killed = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().length > 0, 'the first deploy has reached its caches');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const dead = readFileSync(lockOf(site.app), 'utf8');
  site.push({ page: 'three' });
  const codes: number[] = [];
  const deploys = Array.from({ length: 20 }, () =>
    holdfast(site, ['deploy']).then(({ exitCode }) => codes.push(exitCode)),
  );
  await until(() => codes.length >= 19, 'all but one have ended');
  rmSync(join(site.app, hold));
  await Promise.all(deploys);
  assert.deepEqual(codes, [...Array.from({ length: 19 }, () => 6), 0], dead);
});

test('the lock of another machine, of another container or of nobody we can read is never broken', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const before = site.head();
  await holdfast(site, ['lock', '--reason', 'to make the folder']);
  await holdfast(site, ['unlock']);
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const hostName = readFileSync('/proc/sys/kernel/hostname', 'utf8').trim();
  const owner = {
    token: 'x-1',
    pid: 1_000_000,
    startTicks: '1',
    bootId,
    hostName,
    firstProcess: '3',
    userId: 0,
    acquiredAt: 'T',
  };
  for (const record of [
    JSON.stringify({ ...owner, hostName: 'elsewhere', bootId: 'another' }),
    JSON.stringify(owner),
    '',
    'nonsense',
  ]) {
    writeFileSync(lockOf(site.app), record);
    assert.equal((await holdfast(site, ['deploy'])).exitCode, 6, record);
  }
  assert.equal(site.head(), before);
  writeFileSync(lockOf(site.app), JSON.stringify({ ...owner, bootId: 'an earlier boot' }));
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
});

test('frozen deploys: exit 6 with the reason, until they are thawed', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  assert.equal((await holdfast(site, ['lock', '--reason', 'release day'])).exitCode, 0);
  assert.equal((await holdfast(site, ['lock', '--reason', 'another'])).exitCode, 1);
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 6);
  assert.match(
    site.log(),
    /^\[ERROR\] Deploys are frozen since [^\n]+: release day\. holdfast unlock allows deploys again\.$/m,
  );
  assert.equal(site.head(), before);
  assert.equal((await holdfast(site, ['unlock'])).exitCode, 0);
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
});
