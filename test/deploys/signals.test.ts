import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldfast, until } from './support/holdfast.ts';
import { tagged } from './support/log.ts';
import { buildSite } from './support/site.ts';

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  test(`${signal} while the caches are rebuilt: put back, exit ${code}`, async (t) => {
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
