import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { umaskOfCaches } from '../../../src/deployment/caches/cache-modes.ts';
import { enterCheckout } from '../../../src/deployment/checkout/checkout.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { examine } from '../../../src/deployment/doctor.ts';
import { buildLaravel, type LaravelOptions, type LaravelSite, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';

/** A Laravel whose php-fpm runs as another user, and a deploy whose umask keeps everything to itself. */
async function strictly(t: TestContext, options: LaravelOptions = {}): Promise<LaravelSite | undefined> {
  if (!needsLaravel(t)) return undefined;
  if (userInfo().uid !== 0) return void t.skip('needs root, to run php-fpm as another user');
  const site = await buildLaravel(t, { ...options, poolUser: 'nobody' });
  chmodSync(site.folder, 0o755);
  execFileSync('chmod', ['-R', 'a+rwX', join(site.app, 'storage')]);
  assert.equal((await site.get('/')).status, 200);
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  return site;
}

const caches = ['bootstrap/cache/config.php', 'bootstrap/cache/routes-v7.php'];
/** Of the user `nobody` on Debian. */
const nobodysGroup = 65_534;

const modeOf = (site: LaravelSite, path: string) => (statSync(join(site.app, path)).mode & 0o777).toString(8);

for (const preset of ['laravel', 'laravel-atomic'] as const) {
  for (const how of ['in one process', 'one by one'] as const) {
    test(`${preset}, ${how}: with umask 077 php-fpm as another user reads the new caches`, async (t) => {
      const site = await strictly(t);
      if (site === undefined) return;
      // An artisan that is not an ordinary one.
      if (how === 'one by one') appendFileSync(join(site.developer, 'artisan'), '\n');
      if (how === 'one by one')
        execFileSync('sed', ['-i', 's/__DIR__ *\\. */dirname(__FILE__) . /', join(site.developer, 'artisan')]);
      site.pushVersion('two');
      const document = await deploy(quietHost(), site.settings({ preset }));
      assert.equal(document.state, 'verified', site.log());
      assert.match((await site.get('/')).body, /class=two view=two config=two/);
      const caches = [
        ...globSync('bootstrap/cache/*.php', { cwd: site.app }),
        ...globSync('storage/framework/views/*.php', { cwd: site.app }),
      ];
      assert.ok(caches.length >= 4, caches.join(' '));
      for (const path of caches)
        assert.ok((Number.parseInt(modeOf(site, path), 8) & 0o044) === 0o044, `${path}: ${modeOf(site, path)}`);
    });
  }
}

for (const [what, mode, group] of [
  ['others may enter and not list, as its folders of caches,', 0o711, 0],
  ['its group alone may enter', 0o710, nobodysGroup],
] as const)
  test(`in a checkout that ${what} php-fpm reads the caches of files that are new`, async (t) => {
    const site = await strictly(t);
    if (site === undefined) return;
    chownSync(site.app, 0, group);
    chmodSync(site.app, mode);
    if (mode === 0o711)
      for (const folder of ['bootstrap/cache', 'storage/framework/views']) chmodSync(join(site.app, folder), mode);
    for (const path of [...caches, ...globSync('storage/framework/views/*.php', { cwd: site.app })])
      rmSync(join(site.app, path), { force: true });
    site.pushVersion('two');
    const document = await deploy(quietHost(), site.settings());
    assert.equal(document.state, 'verified', site.log());
    assert.match((await site.get('/')).body, /class=two view=two config=two/);
    assert.deepEqual(
      caches.map((path) => modeOf(site, path)),
      ['644', '644'],
    );
  });

test('with umask 077 the rollback of a broken commit leaves caches that php-fpm reads', async (t) => {
  const site = await strictly(t);
  if (site === undefined) return;
  site.pushVersion('broken', { broken: true });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode], ['rolled-back', 3], site.log());
  assert.match((await site.get('/')).body, /class=one view=one config=one/);
});

test('a cache that only the group may read stays so, whatever the umask is', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  for (const how of ['in one process', 'one by one']) {
    chmodSync(join(site.app, 'bootstrap/cache/config.php'), 0o640);
    if (how === 'one by one') {
      execFileSync('sed', ['-i', 's/__DIR__ *\\. */dirname(__FILE__) . /', join(site.developer, 'artisan')]);
      site.push({});
    }
    site.pushVersion(how.replaceAll(' ', '-'));
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.equal(modeOf(site, 'bootstrap/cache/config.php'), '640', how);
  }
});

test('others never may write a cache, also where they may write the folder of the checkout', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-'));
  t.after(() => rmSync(directory, { recursive: true }));
  chmodSync(directory, 0o777);
  const run = { host: quietHost(), checkout: { directory } } as unknown as Parameters<typeof umaskOfCaches>[0];
  assert.equal(await umaskOfCaches(run, []), 0o002);
});

test('doctor names tracked files and caches that php-fpm cannot read', async (t) => {
  const site = await strictly(t);
  if (site === undefined) return;
  const settings = site.settings({}, { opcache: {} });
  const entered = await enterCheckout(quietHost(), settings);
  if (!('checkout' in entered)) assert.fail('no checkout');
  const found = async () => {
    const checks = await examine(quietHost(), settings, entered.checkout);
    return checks.filter(({ name }) => name === 'modes').map(({ said }) => said);
  };
  assert.deepEqual(await found(), []);
  chmodSync(join(site.app, 'app/Version.php'), 0o600);
  chmodSync(join(site.app, 'routes'), 0o700);
  chmodSync(join(site.app, 'bootstrap/cache/config.php'), 0o640);
  writeFileSync(join(site.app, 'notes'), '', { mode: 0o600 });
  assert.deepEqual(await found(), [
    'php-fpm runs as nobody, who cannot read tracked files or folders: 2, such as app/Version.php. chmod go+rX lets others read them.',
    'php-fpm runs as nobody, who cannot read caches: 1, such as bootstrap/cache/config.php. chmod go+rX lets others read them.',
  ]);
});

test('doctor names the checkout, and folders above it, that php-fpm cannot enter', async (t) => {
  const site = await strictly(t);
  if (site === undefined) return;
  const settings = site.settings({}, { opcache: {} });
  const entered = await enterCheckout(quietHost(), settings);
  if (!('checkout' in entered)) assert.fail('no checkout');
  for (const folder of [site.folder, site.app]) chmodSync(folder, 0o700);
  const checks = await examine(quietHost(), settings, entered.checkout);
  assert.deepEqual(
    checks.filter(({ name }) => name === 'modes').map(({ said }) => said),
    [site.folder, site.app].map(
      (folder) => `php-fpm runs as nobody, who cannot enter ${folder}. chmod o+x lets others in.`,
    ),
  );
});
