import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckout } from '../../../src/deployment/checkout/open-checkout.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { findMeans } from '../../../src/deployment/opcache/refresh.ts';
import { buildCheckout } from '../support/checkout.ts';
import { buildPhpSite, type PhpSite, type PhpSiteOptions, saturate, visitSlowly } from '../support/foreign-pools.ts';
import { until } from '../support/holdfast.ts';
import { needsPhpServer } from '../support/php-server.ts';
import { quietHost } from '../support/quiet-host.ts';
import { settingsOf } from '../support/site.ts';

const health = (deadline: string) => ({ health: { baseline: 'skip', deadline, timeout: '1s' } });
const waiting = /^\[INFO\] php-fpm is busy: waiting up to 1 min for a worker, so that it forgets the old code$/gm;

for (const known of ['by the web server', 'by opcache.fastcgi'] as const) {
  test(`a deploy waits for the site’s own pool while all its workers are busy, known ${known}`, async (t) => {
    if (!needsPhpServer(t)) return;
    const isNamed = known === 'by opcache.fastcgi';
    const site = await buildPhpSite(t, { web: isNamed ? 'unknown' : 'nginx', workers: 1 });
    const named = isNamed ? { opcache: { fastcgi: site.fastcgi } } : {};
    const release = await saturate(site.folder, join(site.app, 'public/index.php'), site.fastcgi, 1);
    const deployed = site.deployVersion('two', { ...health('60s'), ...named });
    await until(() => site.log().match(waiting) !== null, 'the log says that the pool is busy');
    await release();
    assert.equal((await deployed).state, 'verified', site.log());
    assert.equal(site.log().match(waiting)?.length, 1);
    assert.equal(await site.page(), 'two');
  });
}

test('a pool that is busy beyond the health deadline fails the verification, and the commit is not quarantined', async (t) => {
  if (!needsPhpServer(t)) return;
  const site = await buildPhpSite(t, { workers: 1 });
  const before = site.head();
  const release = await saturate(site.folder, join(site.app, 'public/index.php'), site.fastcgi, 1);
  const failed = await site.deployVersion('two', health('3s'));
  assert.equal(site.head(), before);
  assert.equal(failed.state, 'rolled-back-unhealthy', site.log());
  assert.match(site.log(), /^\[ERROR\] Step opcache failed: php-fpm at \S+own\.sock did not forget the old code$/m);
  await release();
  const commit = site.git(site.developer, 'rev-parse', 'HEAD');
  const settings = site.settings(health('3s'));
  const again = await deploy(quietHost(), settings);
  assert.deepEqual([again.state, again.newCommit], ['verified', commit], site.log());
});

/** Pools that are busy when they are looked at, and that cannot be told to forget once they are free. */
const cannotBeTold = [
  ['answers the web server alone', { refuses: true }],
  ['may not use opcache’s functions', { lines: ['php_admin_value[opcache.restrict_api] = /nowhere'] }],
] as const;
const reset = (site: PhpSite) => until(() => /New commit/.test(site.log()), 'the tree is the new one');

for (const [what, options] of cannotBeTold) {
  test(`a pool that ${what} and was busy costs no good commit: its opcache looks at the files by itself`, async (t) => {
    if (!needsPhpServer(t)) return;
    const soon = 'php_admin_value[opcache.revalidate_freq] = 1';
    const { lines = [], ...more }: PhpSiteOptions = options;
    const site = await buildPhpSite(t, { workers: 1, ...more, lines: [soon, ...lines] });
    const release = await visitSlowly(site, 1);
    const deployed = site.deployVersion('two', health('60s'));
    await reset(site);
    await release();
    assert.equal((await deployed).state, 'verified', site.log());
    assert.match(
      site.log(),
      /^\[INFO\] Waiting 2 s, because php-fpm at \S+ cannot be made to forget the old code and looks at its files every 1 s$/m,
    );
    assert.equal(await site.page(), 'two');
  });
}

test('a busy pool that would run the old code for ever is waited for before anything is touched, and refused if it refuses', async (t) => {
  if (!needsPhpServer(t)) return;
  const never = ['php_admin_value[opcache.validate_timestamps] = 0'];
  const site = await buildPhpSite(t, { workers: 1, refuses: true, lines: never });
  const before = site.head();
  const release = await visitSlowly(site, 1);
  const deployed = site.deployVersion('two', health('60s'));
  await until(() => site.log().match(waiting) !== null, 'the log says that the pool is busy');
  assert.equal(site.head(), before);
  await release();
  const { state, exitCode } = await deployed;
  assert.deepEqual([state, exitCode, site.head()], ['aborted', 2, before], site.log());
  assert.match(site.log(), /goes on running the old code, because opcache\.validate_timestamps is 0/);
});

test('a reload command that fails fails the verification, and the commit is not quarantined', async (t) => {
  if (!needsPhpServer(t)) return;
  const site = await buildPhpSite(t);
  const failed = await site.deployVersion('two', { opcache: { reload: ['false'] } });
  assert.equal(failed.state, 'rolled-back', site.log());
  assert.match(site.log(), /^\[ERROR\] Step opcache reload failed: exit code 1$/m);
  assert.equal((await deploy(quietHost(), site.settings({}))).state, 'verified', site.log());
});

test('a reload command that fails for the new commit alone is not the commit’s fault either', async (t) => {
  if (!needsPhpServer(t)) return;
  const site = await buildPhpSite(t);
  const reload = ['sh', '-c', `test -e ${site.folder}/failed || { touch ${site.folder}/failed; exit 1; }`];
  const failed = await site.deployVersion('two', { opcache: { reload } });
  assert.deepEqual([failed.state, failed.exitCode], ['rolled-back', 3], site.log());
  assert.doesNotMatch(site.log(), /in the same way/);
  assert.equal((await deploy(quietHost(), site.settings({}))).state, 'verified', site.log());
});

test('a pool that only the settings know, such as one in a container, is waited for before anything is touched, and refused if it refuses', async (t) => {
  const { app, folder, logFile } = buildCheckout(t, { page: 'one' });
  const held: Socket[] = [];
  let isFree = false;
  const pool = createServer((socket) => (isFree ? socket.destroy() : held.push(socket)));
  await new Promise<void>((resolve) => pool.listen(0, '127.0.0.1', resolve));
  t.after(() => pool.close());
  const fastcgi = `127.0.0.1:${(pool.address() as AddressInfo).port}`;
  const given = { appDir: app, branch: 'main', logFile, healthUrl: 'http://127.0.0.1:1/' };
  const settings = settingsOf(given, { PATH: process.env.PATH ?? '', HOME: folder }, { opcache: { fastcgi } });
  const host = quietHost();
  const sayWaiting = async (): Promise<void> => {
    isFree = true;
    for (const socket of held) socket.destroy();
  };
  const means = await findMeans(host, settings, await openCheckout(host, settings), { sayWaiting });
  assert.equal(means.by, 'impossible');
  assert.match('because' in means ? means.because : '', new RegExp(`^Asking (?:php-fpm at )?${fastcgi}: `));
});
