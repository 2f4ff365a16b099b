import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { artisanOnce, canRunOnce } from '../../../src/deployment/caches/artisan-once.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { presets } from '../../../src/deployment/settings/presets.ts';
import { buildLaravel, type LaravelSite, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const host = quietHost();
const laravel = [...presets.laravel.caches.clear, ...presets.laravel.caches.rebuild];

/** Every file that artisan makes, by its path. */
function cachesOf(app: string): Readonly<Record<string, string>> {
  const folders = ['bootstrap/cache', 'storage/framework/views', 'storage/framework/cache'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(app, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(path, 'utf8')]));
}

/** How many steps the one process has completed. */
function completed(once: Awaited<ReturnType<typeof artisanOnce>>): number | undefined {
  return once === undefined || 'cannotStart' in once ? undefined : once.length;
}

/** The caches after one process for all commands, and after a process for each. */
async function bothWays(site: LaravelSite) {
  const options = { cwd: site.app, env: site.environment, timeoutSeconds: 60 };
  const cacheFolder = join(site.folder, 'php');
  mkdirSync(cacheFolder);
  await artisanOnce(host, laravel, options, cacheFolder);
  const once = await artisanOnce(host, laravel, options, cacheFolder);
  const together = cachesOf(site.app);
  const exitCodes: number[] = [];
  for (const { command } of laravel) exitCodes.push((await host.run(command, options)).exitCode);
  return { once, together, separately: cachesOf(site.app), exitCodes };
}

test('one PHP process makes the same files as seven, byte for byte', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  assert.ok(await canRunOnce(host.files, site.app, laravel));
  const { once, together, separately } = await bothWays(site);
  assert.equal(completed(once), 7);
  assert.ok(Object.keys(together).length > 12);
  assert.deepEqual(together, separately);
});

test('in one process no request meets a missing cache, a view that is to be compiled again, or one whose source is gone', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  site.write('storage/framework/views/gone.php', 'compiled from a view that is gone');
  let [running, looks, missing] = [true, 0, 0];
  const looking = (async () => {
    for (; running; looks++) {
      if (!['config', 'routes-v7'].every((name) => existsSync(join(site.app, `bootstrap/cache/${name}.php`))))
        missing++;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const once = await artisanOnce(host, laravel, { cwd: site.app, env: site.environment, timeoutSeconds: 60 });
  running = false;
  await looking;
  assert.equal(completed(once), 7);
  assert.ok(looks > 10);
  assert.equal(missing, 0);
  const compiled = readdirSync(join(site.app, 'storage/framework/views')).filter((name) => name.endsWith('.php'));
  assert.ok(compiled.length > 0 && !compiled.includes('gone.php'));
  const written = statSync(join(site.app, 'resources/views/home.blade.php')).mtimeMs;
  for (const name of compiled) {
    // Laravel compiles again what is not younger than its source, in whole seconds.
    const made = statSync(join(site.app, 'storage/framework/views', name)).mtimeMs;
    assert.ok(Math.floor(made / 1000) > Math.floor(written / 1000), name);
  }
});

test('also where code asks for env() outside the configuration, which gives null once that is cached', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const routes = site.read('routes/web.php') ?? '';
  site.write(
    'routes/web.php',
    `${routes}\nRoute::get('/'.(env('APP_NAME') ?? 'none'), [PageController::class, 'home'])->name('env');\n`,
  );
  const provider = site.read('app/Providers/RouteServiceProvider.php') ?? '';
  const directive =
    "$app = env('APP_NAME') ?? 'none'; \\Illuminate\\Support\\Facades\\Blade::directive('name', fn () => $app);";
  site.write(
    'app/Providers/RouteServiceProvider.php',
    provider.replace('boot()\n    {', `boot()\n    {\n        ${directive}`),
  );
  site.write('resources/views/named.blade.php', '@name');
  const { once, together, separately } = await bothWays(site);
  assert.equal(completed(once), 7);
  assert.deepEqual(together, separately);
  assert.ok(
    Object.values(together).some((text) => /^none/.test(text)),
    'the view was compiled without the environment',
  );
});

test('where the one process does not complete, the commands are run one by one', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const routes = site.read('routes/web.php') ?? '';
  site.write('routes/web.php', `${routes}\nRoute::get('/again', [PageController::class, 'home'])->name('home');\n`);
  const { once, exitCodes } = await bothWays(site);
  assert.equal(once, undefined);
  assert.deepEqual(exitCodes, [0, 0, 0, 0, 0, 1, 0]);
  site.write('artisan', '#!/usr/bin/env php\n<?php\n// Not the usual one.\n');
  assert.equal(await canRunOnce(host.files, site.app, laravel), false);
});

test('a commit whose routes cannot be cached is found before the reset, with the reason in the log', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const routes = site.read('routes/web.php') ?? '';
  site.push({ 'routes/web.php': `${routes}\nRoute::get('/again', [PageController::class, 'home'])->name('home');\n` });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back', site.log());
  assert.match(
    site.log(),
    /^\[ERROR\] Step route:cache fails with commit [0-9a-f]{40}: Unable to prepare route \[again\] for serialization\. Another route has already been assigned name \[home\]\. at AbstractRouteCollection\.php:\d+$/m,
  );
});

for (const [how, artisan] of [
  ['in one process', undefined],
  ['one by one', "<?php $here = __DIR__; require $here . '/bootstrap/autoload.php'; require $here . '/console';\n"],
] as const)
  test(`artisan starts although what is cached names a class that the new commit does not have, ${how}`, async (t) => {
    if (!needsLaravel(t)) return;
    const site = await buildLaravel(t);
    const console = (site.read('artisan') ?? '').replace(/^.*\n/, '').replace(/^require __DIR__.*\n/m, '');
    if (artisan !== undefined) site.push({ artisan, console });
    const configuration = site.read('config/app.php') ?? '';
    const gone =
      '<?php\n\nnamespace App\\Providers;\n\nclass GoneProvider extends \\Illuminate\\Support\\ServiceProvider\n{\n}\n';
    site.push({
      'app/Providers/GoneProvider.php': gone,
      'config/app.php': configuration.replace(
        'App\\Providers\\Route',
        'App\\Providers\\GoneProvider::class,\n        App\\Providers\\Route',
      ),
    });
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    const commit = site.push({ 'app/Providers/GoneProvider.php': null, 'config/app.php': configuration });
    const document = await deploy(quietHost(), site.settings());
    assert.equal(document.state, 'verified', site.log());
    assert.equal(site.head(), commit);
    const removed =
      /^\[INFO\] Removed what may name classes that are gone, and beginning again: bootstrap\/cache\/config\.php/m;
    if (artisan !== undefined) assert.match(site.log(), removed);
  });

test('a clear that says it succeeded and cleared nothing is found', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  site.write('bootstrap/cache/routes-v7.php', 'old');
  utimesSync(join(site.app, 'bootstrap/cache/routes-v7.php'), 1_000_000, 1_000_000);
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back');
  assert.match(
    site.log(),
    /^\[ERROR\] Step route:clear failed: it exited 0, but bootstrap\/cache\/routes-v7\.php is still there \(owner \w+\)$/m,
  );
});

test('a cache:clear whose store is down is a failed verification, or only a warning where the settings say so', async (t) => {
  const site = await buildSite(t);
  site.push({ 'fail-cache:clear': '' });
  const clear = (onFailure: string) => [{ name: 'cache:clear', command: ['php', 'artisan', 'cache:clear'], onFailure }];
  const settings = (onFailure: string) => site.settings({ again: true }, { caches: { clear: clear(onFailure) } });
  assert.equal((await deploy(quietHost(), settings('fail'))).state, 'rolled-back');
  assert.equal((await deploy(quietHost(), settings('warn'))).state, 'verified', site.log());
  assert.match(
    site.log(),
    /^\[INFO\] Step cache:clear failed, which is only a warning: exit code 1: cache:clear has failed$/m,
  );
});

test('a cache that was not written is found where the step has `leaves`', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const caches = { clear: [], rebuild: [{ name: 'nothing', command: ['true'], leaves: { present: 'made/cache' } }] };
  const document = await deploy(quietHost(), site.settings({}, { caches }));
  assert.equal(document.state, 'rolled-back');
  assert.match(site.log(), /^\[ERROR\] Step nothing failed: it exited 0, but made\/cache was not written$/m);
});

test('laravel-atomic makes the same caches and leaves nothing beside them', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  site.pushVersion('two');
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  const { 'bootstrap/cache/packages.php': _, ...classic } = cachesOf(site.app);
  site.pushVersion('three');
  assert.equal((await deploy(quietHost(), site.settings({ preset: 'laravel-atomic' }))).state, 'verified', site.log());
  site.pushVersion('two');
  assert.equal((await deploy(quietHost(), site.settings({ preset: 'laravel-atomic' }))).state, 'verified', site.log());
  assert.deepEqual(cachesOf(site.app), classic);
  assert.deepEqual(readdirSync(join(site.app, 'storage/framework')).sort(), ['cache', 'sessions', 'views']);
  assert.match((await site.get('/')).body, /class=two view=two config=two/);
});

test('laravel-atomic renames its caches into place also where the commands run one by one', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const console = (site.read('artisan') ?? '').replace(/^.*\n/, '').replace(/^require __DIR__.*\n/m, '');
  const artisan = "<?php $here = __DIR__; require $here . '/bootstrap/autoload.php'; require $here . '/console';\n";
  site.push({ artisan, console });
  const cached = join(site.app, 'bootstrap/cache/config.php');
  const before = statSync(cached).ino;
  assert.equal((await deploy(quietHost(), site.settings({ preset: 'laravel-atomic' }))).state, 'verified', site.log());
  assert.notEqual(statSync(cached).ino, before);
  assert.deepEqual(readdirSync(join(site.app, 'storage/framework')).sort(), ['cache', 'sessions', 'views']);
  assert.deepEqual(
    readdirSync(join(site.app, 'bootstrap/cache')).filter((name) => /holdfast/.test(name)),
    [],
  );
});

test('steps before and after the caches, in the deploy and in the rollback, where their files changed', async (t) => {
  const site = await buildSite(t);
  const note = (word: string) => ['sh', '-c', `echo ${word} >> calls`];
  const steps = {
    before: [
      { name: 'install', command: note('install'), whenChanged: ['composer.lock'] },
      { name: 'build', command: note('build'), whenChanged: ['front/'] },
      { name: 'migrate', command: note('migrate'), on: 'deploy' },
    ],
    after: [
      { name: 'workers', command: note('workers') },
      { name: 'optional', command: ['false'], onFailure: 'warn' },
    ],
  };
  const caches = { clear: [], rebuild: [{ command: note('caches') }] };
  site.push({ 'composer.lock': '2', page: 'two', status: '500' });
  const document = await deploy(quietHost(), site.settings({}, { steps, caches }));
  assert.equal(document.state, 'rolled-back', site.log());
  assert.deepEqual(site.artisanCalls(), ['install', 'migrate', 'caches', 'workers', 'install', 'caches', 'workers']);
  assert.match(site.log(), /^\[INFO\] Step optional failed, which is only a warning: exit code 1$/m);
});
