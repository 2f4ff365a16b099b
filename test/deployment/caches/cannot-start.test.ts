import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { artisanOnce, hasPlainArtisan } from '../../../src/deployment/caches/artisan-once.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { presets } from '../../../src/deployment/settings/presets.ts';
import type { BrokenKind } from '../support/broken-commits.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';

const host = quietHost();

/** A step before the caches keeps the new commit from being started aside. */
const inPlace = { steps: { before: [{ name: 'none', command: ['true'] }] } };

const reasons: Readonly<Record<Exclude<BrokenKind, 'runtime'>, RegExp>> = {
  route: /Error: Call to undefined method .*toNowhere\(?\)? .*|BadMethodCallException: .*toNowhere.* at .+/,
  provider: /RuntimeException: The provider is broken\. at app\/Providers\/RouteServiceProvider\.php:\d+/,
  'missing class': /Error: Class "App\\Providers\\ForgottenServiceProvider" not found at .+/,
  config: /Exception: DateTimeZone::__construct\(\): Unknown or bad timezone \(Nowhere\) at config\/auth\.php:\d+/,
  fatal: /Fatal error: Cannot redeclare .*boot\(\).* at app\/Providers\/RouteServiceProvider\.php:\d+/,
};

for (const [kind, reason] of Object.entries(reasons))
  test(`a commit with which the application cannot start (${kind}) is rolled back at once, and the reason is in the log`, async (t) => {
    if (!needsLaravel(t)) return;
    const site = await buildLaravel(t);
    const before = site.head();
    site.pushVersion('two', { broken: kind as BrokenKind });
    const document = await deploy(host, site.settings({}, inPlace));
    assert.equal(document.state, 'rolled-back', site.log());
    assert.equal(site.head(), before);
    const [, said = ''] = /^\[ERROR\] Step start failed: the application cannot start: (.*)$/m.exec(site.log()) ?? [];
    assert.match(said, reason, site.log());
    // A way back only rebuilds: a step that clears was tried by itself.
    const clearing = document.steps.filter(({ name }) => name.endsWith(':clear'));
    assert.deepEqual(clearing, []);
    assert.equal((await site.get('/')).status, 200);
  });

test('an artisan command that fails is not the application that cannot start', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  site.write('config/closure.php', "<?php\n\nreturn ['closure' => fn () => 1];\n");
  const steps = [...presets.laravel.caches.clear, ...presets.laravel.caches.rebuild];
  const options = { cwd: site.app, env: site.environment, timeoutSeconds: 60 };
  assert.equal(await artisanOnce(host, steps, options), undefined);
});

test('a command that ends with a fatal error is not the application that cannot start', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  // Laravel reports an unknown command to its log, and dies where that cannot be written.
  mkdirSync(join(site.app, 'storage/logs/laravel.log'), { recursive: true });
  site.pushVersion('two');
  const unknown = { name: 'unknown', command: ['php', 'artisan', 'unknown:command'], onFailure: 'warn' };
  const document = await deploy(host, site.settings({}, { steps: { after: [unknown] } }));
  assert.deepEqual([document.state, document.exitCode], ['verified', 0], site.log());
  assert.match(
    site.log(),
    /^\[INFO\] Step unknown failed, which is only a warning: exit code 0, but an error that could not be written to Laravel's log$/m,
  );
  site.pushVersion('three');
  const needed = await deploy(host, site.settings({}, { steps: { after: [{ ...unknown, onFailure: 'fail' }] } }));
  assert.deepEqual([needed.state, needed.failedStep], ['rolled-back', 'unknown'], site.log());
});

test('a step of the settings runs once, also where it fails, and within its own time', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const counts = (exit: string) =>
    `<?php\nIlluminate\\Support\\Facades\\Artisan::command('count', function () { file_put_contents(storage_path('logs/count'), 'x', FILE_APPEND); ${exit} });\n`;
  const before = [{ name: 'count', command: ['php', 'artisan', 'count'], timeout: '2s' }];
  for (const [exit, because, count] of [
    ["throw new RuntimeException('half done');", 'exit code 1', 'x'],
    ['sleep(20);', 'exit code 143', 'xx'],
  ] as const) {
    site.pushVersion('two');
    site.push({ 'routes/console.php': counts(exit) });
    const document = await deploy(
      host,
      site.settings({}, { steps: { before: before.map((s) => ({ ...s, on: 'deploy' })) } }),
    );
    assert.deepEqual([document.state, document.failedStep], ['rolled-back', 'count'], site.log());
    assert.match(document.because ?? '', new RegExp(`^Step count failed: ${because}`));
    assert.equal(site.read('storage/logs/count'), count);
  }
});

test('where artisan loads more than the application, its own commands decide whether it can start', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  assert.ok(await hasPlainArtisan(host.files, site.app));
  const artisan = site.read('artisan') ?? '';
  const needsMore = (site.read('bootstrap/app.php') ?? '').replace('return $app;', 'return prepared($app);');
  const document = await (async () => {
    site.push({
      artisan: artisan.replace('$app =', "require __DIR__ . '/prepared.php';\n$app ="),
      'prepared.php': '<?php function prepared($app) { return $app; }\n',
      'bootstrap/app.php': needsMore,
      'public/index.php': (site.read('public/index.php') ?? '').replace(
        '$app =',
        "require __DIR__ . '/../prepared.php';\n$app =",
      ),
    });
    return deploy(host, site.settings({}, inPlace));
  })();
  assert.equal(await hasPlainArtisan(host.files, site.app), false);
  assert.equal(document.state, 'verified', site.log());
  assert.ok(document.steps.some(({ name }) => name === 'config:clear'));
});
