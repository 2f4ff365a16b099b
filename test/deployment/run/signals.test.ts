import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../../support/needs.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { tagged } from '../support/log.ts';
import { killWithDescendants } from '../support/mortal-host.ts';
import { buildSite } from '../support/site.ts';

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  test(`${signal} while the caches are rebuilt: rolled back, exit ${code}`, async (t) => {
    const site = await buildSite(t);
    const before = site.head();
    const commit = site.push({ 'wait-route:cache': '30' });
    const { child, ended } = startHoldfast(site, ['deploy', '--json']);
    await until(() => site.artisanCalls().some((call) => call.startsWith('route:cache')), 'the caches are rebuilt');
    child.kill(signal);
    const { exitCode, stdout } = await ended;
    assert.equal(exitCode, code);
    assert.equal(JSON.parse(stdout).state, 'rolled-back');
    assert.equal(site.head(), before);
    assert.deepEqual(tagged(site.log()).slice(1), [
      `[INFO] New commit: ${commit}`,
      `[ERROR] Stopped by ${signal}`,
      `[ROLLBACK] Rolled back to ${before}`,
      `[INFO] Health check passed (200) at ${before}`,
    ]);
  });
}

for (const words of [['deploy'], ['rollback']]) {
  test(`${words}: a health request that a signal breaks off is not told as a site that cannot be reached`, async (t) => {
    const site = await buildSite(t);
    for (const page of ['one', 'two']) {
      site.push({ page });
      assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
    }
    const before = site.head();
    const { length } = site.log();
    let stop = () => {};
    // The signal comes while the answer is waited for.
    const server = createServer(() => stop());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.closeAllConnections());
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { child, ended } = startHoldfast(site, [...words, '--health-url', `http://127.0.0.1:${port}/`]);
    stop = () => child.kill('SIGTERM');
    assert.equal((await ended).exitCode, 143);
    assert.deepEqual(tagged(site.log().slice(length)), [
      `[INFO] Previous commit: ${before}`,
      '[ERROR] Stopped by SIGTERM',
    ]);
    assert.equal(site.head(), before);
  });
}

test('a lost connection does not stop a deploy', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ 'wait-config:cache': '1' });
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().some((call) => call.startsWith('config:cache')), 'the caches are rebuilt');
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill('SIGHUP');
  assert.equal((await ended).exitCode, 0);
  assert.equal(site.head(), commit);
});

test('a signal during the repair of a killed deploy: the repair is finished, and nothing else is begun', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
  site.push({ 'wait-route:cache': '30' });
  const killed = startHoldfast(site, ['deploy']);
  const rebuilding = () => site.artisanCalls().filter((call) => call.startsWith('route:cache')).length;
  await until(() => rebuilding() === 2, 'the caches are rebuilt');
  killWithDescendants(killed.child.pid ?? 0);
  await killed.ended;
  site.write('hold-view:cache', '');
  const { child, ended } = startHoldfast(site, ['deploy', '--json']);
  await until(() => site.artisanCalls().at(-1)?.startsWith('view:cache') === true, 'the repair rebuilds the caches');
  child.kill('SIGTERM');
  rmSync(join(site.app, 'hold-view:cache'));
  const { exitCode, stdout, stderr } = await ended;
  assert.equal(exitCode, 143, stderr);
  assert.equal(JSON.parse(stdout).state, 'aborted');
  assert.equal(site.head(), before);
  assert.deepEqual(tagged(site.log()).slice(-2), [
    `[INFO] Repaired: Health check passed (200) at ${before}`,
    '[ERROR] Stopped by SIGTERM',
  ]);
});

test('a terminal that is closed does not stop a deploy', async (t) => {
  if (!needs(t, 'script')) return;
  const site = await buildSite(t);
  const commit = site.push({ 'wait-config:cache': '1' });
  const program = join(import.meta.dirname, '../../../bin/holdfast.js');
  // A terminal of its own, which goes with the program that made it: the kernel tells its session by SIGHUP.
  const environment = {
    ...site.environment,
    APP_DIR: site.app,
    BRANCH: 'main',
    LOG_FILE: site.logFile,
    HEALTH_URL: site.healthUrl,
  };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment: { opcache: { wait: '0s' } } }));
  const terminal = spawn('script', ['-qfc', `${process.execPath} ${program} deploy`, '/dev/null'], {
    cwd: site.folder,
    env: environment,
    stdio: 'ignore',
  });
  await until(() => site.artisanCalls().some((call) => call.startsWith('config:cache')), 'the caches are rebuilt');
  terminal.kill('SIGKILL');
  await until(() => /^===== Deployment completed/m.test(site.log()), 'the deploy has ended');
  assert.equal(site.head(), commit);
  assert.match(site.log(), /^\[SUCCESS\] /m);
});
