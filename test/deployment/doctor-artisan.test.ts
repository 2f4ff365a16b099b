import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { enterCheckout } from '../../src/deployment/checkout/checkout.ts';
import { examine } from '../../src/deployment/doctor.ts';
import type { DeploymentSettings } from '../../src/deployment/settings/settings.ts';
import type { Host } from '../../src/host/host.ts';
import { needs } from '../support/needs.ts';
import { brokenFiles, twoRoutesOfOneName } from './support/broken-commits.ts';
import { buildCheckout } from './support/checkout.ts';
import { buildLaravel, needsLaravel } from './support/laravel.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite, settingsOf } from './support/site.ts';

/** The folders that doctor has made for itself. */
const made: string[] = [];

/** The lines of doctor about artisan. */
async function told(settings: DeploymentSettings): Promise<readonly string[]> {
  const entered = await enterCheckout(quietHost(), settings);
  if (!('checkout' in entered)) assert.fail('no checkout');
  const host = quietHost();
  const makeFolder: Host['files']['makeFolder'] = (path, options) => {
    if (path.startsWith('/tmp/holdfast-doctor-')) made.push(path);
    return host.files.makeFolder(path, options);
  };
  const checks = await examine({ ...host, files: { ...host.files, makeFolder } }, settings, entered.checkout);
  const some = checks.filter(({ name }) => ['artisan', 'script', 'caches'].includes(name));
  return some.map(({ ok, warning, said }) => `${ok ? (warning ? '?' : ' ') : '!'} ${said}`);
}

/** Everything that the application itself may write. */
function written(site: { readonly app: string }): readonly string[] {
  return ['bootstrap/cache', 'storage/logs', 'storage/framework/views'].flatMap((folder) =>
    readdirSync(join(site.app, folder)).map(
      (name) => `${folder}/${name} ${statSync(join(site.app, folder, name)).mtimeMs}`,
    ),
  );
}

test('doctor starts a Laravel application and writes nothing; one that cannot start is a fault with its reason and remedy', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  // A request to the site would make the application write.
  const settings = site.settings({ healthUrl: 'http://127.0.0.1:1/' });
  for (const name of readdirSync(join(site.app, 'bootstrap/cache')))
    if (/^(?:packages|services)\.php$/.test(name)) rmSync(join(site.app, 'bootstrap/cache', name));
  const before = written(site);
  made.length = 0;
  assert.deepEqual(await told(settings), ['  the application starts, and its caches can be built']);
  assert.deepEqual(written(site), before);
  const version = { 'app/Version.php': site.read('app/Version.php') ?? '' };
  for (const [path, text] of Object.entries(brokenFiles('provider', version))) site.write(path, text);
  assert.deepEqual(await told(settings), [
    `! php artisan cannot run: RuntimeException: The provider is broken. at app/Providers/RouteServiceProvider.php:12. cd ${site.app} && php artisan --version shows the same; a commit that starts mends it.`,
  ]);
  site.git(site.app, 'reset', '--hard', '--quiet');
  assert.deepEqual(await told(settings), ['  the application starts, and its caches can be built']);
  site.write('routes/web.php', twoRoutesOfOneName);
  const [cannotBuild = ''] = await told(settings);
  assert.match(cannotBuild, /^! The caches cannot be built: step route:cache fails: .*home/);
  site.git(site.app, 'reset', '--hard', '--quiet');
  const autoloader = /__DIR__ *\. *'\/([^']*autoload\.php)'/.exec(site.read('artisan') ?? '')?.[1] ?? '';
  renameSync(join(site.app, autoloader), join(site.app, 'away'));
  const [line = ''] = await told(settings);
  assert.match(line, /^! php artisan cannot run: .*autoload\.php/);
  assert.ok(line.endsWith(` ${autoloader} is not there: cd ${site.app} && composer install --no-dev.`), line);
  assert.deepEqual(written(site), before);
  assert.deepEqual([made.length, made.filter((path) => existsSync(path))], [5, []]);
});

test('doctor: a cached configuration of another commit, which a deploy makes anew, is no fault', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  site.write('bootstrap/cache/config.php', '<?php return nonsense();');
  assert.deepEqual(await told(site.settings()), ['  the application starts, and its caches can be built']);
});

test('doctor: without an artisan every deploy of a Laravel preset fails, unless PHP finds one or the first commit may bring it', async (t) => {
  if (!needs(t, 'php')) return;
  const { app, folder, logFile } = buildCheckout(t, { page: 'one' });
  const flags = { appDir: app, branch: 'main', logFile, healthUrl: 'http://127.0.0.1:1/' };
  const settings = settingsOf(flags, { PATH: process.env.PATH ?? '', HOME: folder }, { opcache: { wait: '0s' } });
  const remedy = 'a site that is not Laravel needs preset: none (--preset none)';
  const place = `artisan is not in ${app}, but a step runs it`;
  assert.deepEqual(await told(settings), [`! ${place}, and php artisan cannot run: ${remedy}.`]);
  const site = await buildSite(t);
  assert.deepEqual(await told(site.settings()), [`? artisan is not in ${site.app}, but a step runs it: ${remedy}`]);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  execFileSync('git', ['init', '--quiet', empty]);
  assert.deepEqual(await told({ ...settings, appDir: empty }), [`? ${place.replace(app, empty)}: ${remedy}`]);
});
