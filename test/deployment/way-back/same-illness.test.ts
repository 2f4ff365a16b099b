import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { isSameIllness } from '../../../src/deployment/way-back/whose-fault.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/** Whatever the checkout holds. Returns what ends it. */
function answerAlways({ server }: Pick<Site, 'server'>, status: number): () => void {
  const own = server.listeners('request') as (() => void)[];
  server.removeAllListeners('request');
  server.on('request', (_, response) => response.writeHead(status).end());
  return () => {
    server.removeAllListeners('request');
    for (const listener of own) server.on('request', listener);
  };
}

for (const mode of ['in-place', 'releases'] as const) {
  test(`a health check that the commit before fails in the same way is not the commit’s fault: ${mode}`, async (t) => {
    const site = await buildSite(t, mode);
    const settings = site.settings({ mode });
    site.push({ page: 'one' });
    assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
    // Such as a database that is away.
    const before = site.head();
    const mend = answerAlways(site, 500);
    const commit = site.push({ page: 'two' });
    const first = await deploy(quietHost(), settings);
    assert.deepEqual([first.exitCode, first.state, site.head()], [4, 'rolled-back-unhealthy', before], site.log());
    assert.match(
      site.log(),
      new RegExp(`Not the fault of ${commit}, .*: the health check fails at ${before} in the same way \\(500\\)$`, 'm'),
    );
    mend();
    const second = await deploy(quietHost(), settings);
    assert.deepEqual([second.exitCode, second.newCommit], [0, commit], site.log());
  });
}

test('a deploy between artisan down and up: no quarantine, and the message says why', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'one' });
  await deploy(quietHost(), site.settings());
  const mend = answerAlways(site, 503);
  site.write('storage/framework/down', '{}');
  const commit = site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 4);
  assert.match(
    site.log(),
    /Not the fault of .*: the application is in maintenance mode \(storage\/framework\/down\)$/m,
  );
  mend();
  rmSync(join(site.app, 'storage/framework/down'));
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, commit, site.log());
});

test('a .env that spoils every cached configuration: the caches from before are put back, the site works, no quarantine', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const kernel = site.read('app/Http/Kernel.php') ?? '';
  const cookies = '\\Illuminate\\Cookie\\Middleware\\EncryptCookies::class, ';
  site.push({
    'app/Http/Kernel.php': kernel.replace("'web' => [", `'web' => [${cookies}`),
    'config/app.php': (site.read('config/app.php') ?? '').replace("'AES-256-CBC'", "env('CIPHER', 'AES-256-CBC')"),
  });
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 0, site.log());
  const whole = site.read('.env') ?? '';
  site.write('.env', `${whole}\nCIPHER=AES-512-CBC\n`);
  const [before, commit] = [site.head(), site.push({ 'resources/text': 'two' })];
  const first = await deploy(quietHost(), site.settings());
  assert.deepEqual([first.exitCode, first.state, site.head()], [3, 'rolled-back', before], site.log());
  assert.equal((await site.get('/')).status, 200);
  assert.match(site.log(), /^\[INFO\] The caches from before the deploy are put back$/m);
  assert.match(site.log(), new RegExp(`Not the fault of ${commit}, which is not quarantined: `));
  site.write('.env', whole);
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, commit, site.log());
});

test('two illnesses are the same by their status and what is known of their reasons', () => {
  const ill = (status: number, reason?: string) => ({ status, ...(reason === undefined ? {} : { reason }) });
  assert.ok(isSameIllness(ill(500), ill(500)));
  assert.ok(isSameIllness(ill(500, 'PDOException: gone at a.php:7'), ill(500, 'PDOException: gone at b.php:9')));
  assert.ok(isSameIllness(ill(500, 'PDOException: gone'), ill(500)));
  assert.ok(!isSameIllness(ill(500, 'PDOException: gone'), ill(500, 'TypeError: no')));
  assert.ok(!isSameIllness(ill(500), ill(503)));
  assert.ok(!isSameIllness(ill(500), ill(200)));
});
