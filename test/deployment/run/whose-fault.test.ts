import assert from 'node:assert/strict';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { needs } from '../../support/needs.ts';
import { buildCheckout } from '../support/checkout.ts';
import { holdfast } from '../support/holdfast.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, settingsOf } from '../support/site.ts';

const broken = ['APP_NAME=two words', 'APP_KEY="open', '<<<<<<< HEAD', 'APP_KEY="a"b'];

test('a Laravel whose .env is broken or missing: nothing is deployed, exit 2, and the commit is not quarantined', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const whole = site.read('.env') ?? '';
  const before = site.head();
  const commit = site.pushVersion('two');
  for (const line of broken.filter((each) => each !== 'APP_KEY="open')) {
    site.write('.env', `${whole}\n${line}\n`);
    const document = await deploy(quietHost(), site.settings());
    assert.deepEqual([document.exitCode, document.state, site.head()], [2, 'aborted', before], line);
    assert.match(
      tagged(site.log()).at(-1) ?? '',
      /^\[ERROR\] The environment file \S+\/\.env is broken in line \d+.*\. No commit could start with that, so nothing was changed$/,
    );
    assert.equal((await site.get('/')).status, 200);
  }
  rmSync(join(site.app, '.env'));
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 2);
  assert.match(tagged(site.log()).at(-1) ?? '', /\.env is missing, and APP_KEY is not in the environment either: /);
  site.write('.env', whole);
  const repaired = await deploy(quietHost(), site.settings());
  assert.deepEqual([repaired.exitCode, repaired.newCommit], [0, commit], site.log());
});

test('what is in .env is written nowhere when it is broken', async (t) => {
  const site = await buildSite(t);
  site.push({ artisan: '<?php' });
  site.git(site.app, 'pull', '--quiet', 'origin', 'main');
  site.write('.env', 'APP_KEY=base64:c2VjcmV0 c2VjcmV0\n');
  const ended = await holdfast(site, ['deploy']);
  assert.equal(ended.exitCode, 2);
  assert.doesNotMatch(`${ended.stdout}${ended.stderr}${site.log()}`, /c2VjcmV0/);
});

test('doctor says whether .env is there and can be read', async (t) => {
  const site = await buildSite(t);
  site.push({ artisan: '<?php' });
  site.git(site.app, 'pull', '--quiet', 'origin', 'main');
  const env = async (environment: Readonly<Record<string, string>> = {}) =>
    /^. env {7}.*$/m.exec((await holdfast(site, ['doctor'], environment)).stdout)?.[0];
  assert.match((await env()) ?? '', /^! env {7}The environment file \S+\/\.env is missing, and APP_KEY /);
  assert.equal(await env({ APP_KEY: 'from the environment' }), undefined);
  site.write('.env', 'A=b\nAPP_KEY=two words');
  assert.match((await env()) ?? '', /^! env {7}The environment file \S+\/\.env is broken in line 2 \(APP_KEY\): /);
  site.write('.env.staging', 'A=b');
  assert.equal(await env({ APP_ENV: 'staging' }), '  env       .env can be read');
  site.write('.env', 'A=b');
  assert.equal(await env(), '  env       .env can be read');
  if (process.getuid?.() === 0) return;
  chmodSync(join(site.app, '.env'), 0);
  assert.match((await env()) ?? '', /^! env {7}The environment file \S+ cannot be read: permission denied/);
});

test('where PHP is missing nothing is deployed, exit 2, and the commit is not quarantined', async (t) => {
  const site = await buildSite(t);
  const [before, commit] = [site.head(), site.push({ page: 'two' })];
  const php = join(site.folder, 'bin/php');
  const clear = { name: 'config:clear', command: [php, 'artisan', 'config:clear'] };
  const file = { caches: { clear: [clear], rebuild: [] } };
  renameSync(php, `${php}-gone`);
  const refused = await deploy(quietHost(), site.settings({}, file));
  assert.deepEqual([refused.exitCode, refused.state, site.head()], [2, 'aborted', before]);
  assert.match(
    tagged(site.log()).at(-1) ?? '',
    /^\[ERROR\] There is no program \S+\/bin\/php\. The commands of the caches need it: install it, .*nothing was changed$/,
  );
  renameSync(`${php}-gone`, php);
  const deployed = await deploy(quietHost(), site.settings({}, file));
  assert.deepEqual([deployed.exitCode, deployed.newCommit], [0, commit], site.log());
});

for (const mode of ['in-place', 'releases'] as const) {
  test(`a rollback builds no caches without .env or PHP: ${mode}`, async (t) => {
    const site = await buildSite(t, mode);
    site.push({ artisan: '<?php' });
    const wanted = site.settings({ mode });
    site.write('.env', 'A=b');
    for (const page of ['one', 'two']) {
      site.push({ page });
      assert.equal((await deploy(quietHost(), wanted)).exitCode, 0, site.log());
    }
    const [before, php] = [site.head(), join(site.folder, 'bin/php')];
    const goBack = () => rollback(quietHost(), wanted);
    if (mode === 'releases') {
      rmSync(join(site.app, '.env'));
      // The caches of a release that is still there are its own.
      assert.deepEqual([(await goBack()).state, site.read('page')], ['verified', 'one'], site.log());
      return;
    }
    site.write('.env', 'A=two words');
    const unreadable = await goBack();
    site.write('.env', 'A=b');
    renameSync(php, `${php}-gone`);
    const missing = await rollback(
      quietHost(),
      site.settings({ mode }, { caches: { clear: [{ command: [php] }], rebuild: [] } }),
    );
    assert.deepEqual([unreadable.exitCode, missing.exitCode, site.head()], [2, 2, before], site.log());
    assert.match(
      String(unreadable.because),
      /broken in line 1 \(A\): .* No commit could start with that, so nothing was changed$/,
    );
    assert.match(String(missing.because), /There is no program .* nothing was changed$/);
    renameSync(`${php}-gone`, php);
    // Nor was the commit quarantined that would have been left.
    assert.equal((await deploy(quietHost(), wanted)).exitCode, 0, site.log());
  });
}

for (const mode of ['in-place', 'releases'] as const) {
  test(`a checkout that --clone makes waits for its .env, and later deploys for a whole one: ${mode}`, async (t) => {
    const site = await buildSite(t, mode);
    site.push({ artisan: '<?php' });
    rmSync(site.app, { recursive: true });
    const wanted = site.settings({ mode, clone: site.remote });
    const first = await deploy(quietHost(), wanted);
    assert.equal(first.exitCode, 2, site.log());
    assert.match(
      String(first.because),
      /\.env is missing, and APP_KEY is not in the environment either: put the file there/,
    );
    site.write('.env', 'A=b');
    assert.equal((await deploy(quietHost(), wanted)).exitCode, 0, site.log());
    site.push({ page: 'two' });
    site.write('.env', 'A=two words');
    assert.equal((await deploy(quietHost(), wanted)).exitCode, 2, site.log());
    const document = await examined(site, mode);
    assert.match(document, /^! env {7}The environment file \S+\/\.env is broken in line 1 \(A\): /m);
    // A commit may bring its own.
    site.push({ '.env': 'A=b' });
    assert.equal((await deploy(quietHost(), wanted)).exitCode, 0, site.log());
  });
}

const examined = async (site: Parameters<typeof holdfast>[0], mode: string) =>
  (await holdfast(site, ['doctor', '--mode', mode])).stdout;

test('a .env that git tracks is the commit’s own: a new commit may mend it', async (t) => {
  const site = await buildSite(t);
  site.push({ artisan: '<?php', '.env': 'A=two words' });
  site.git(site.app, 'pull', '--quiet', 'origin', 'main');
  const commit = site.push({ '.env': 'A=b' });
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, commit, site.log());
});

test('a step that fails in the rollback in the same way is not the commit’s fault: no quarantine, and the message says so', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  const commit = site.push({ page: 'two' });
  site.write('fail-config:cache', '');
  const first = await deploy(quietHost(), site.settings());
  assert.deepEqual([first.exitCode, first.state, site.head()], [3, 'rolled-back', before]);
  assert.match(
    site.log(),
    new RegExp(
      `^\\[INFO\\] Not the fault of ${commit}, which is not quarantined: step config:cache fails at ${before} in the same way \\(exit code 1\\)$`,
      'm',
    ),
  );
  rmSync(join(site.app, 'fail-config:cache'));
  const second = await deploy(quietHost(), site.settings());
  assert.deepEqual([second.exitCode, second.newCommit], [0, commit], site.log());
});

test('migrations that fail because the database is away are not the commit’s fault; other failures of theirs are', async (t) => {
  const site = await buildSite(t);
  const php = join(site.folder, 'bin/php');
  const away = `case "$2" in migrate*) if [ -e away ]; then echo 'SQLSTATE[HY000] [2002] Connection refused' >&2; exit 1; fi ;; esac`;
  const stands = readFileSync(php, 'utf8');
  writeFileSync(php, stands.replace('\n', `\n${away}\n`));
  const settings = site.settings({}, { migrations: true });
  const [before, commit] = [site.head(), site.push({ 'database/migrations/1.php': '<?php' })];
  site.write('away', '');
  assert.equal((await deploy(quietHost(), settings)).exitCode, 3, site.log());
  assert.match(
    site.log(),
    new RegExp(`Not the fault of ${commit}, .*: what step migrations needs is away at ${before} too \\(SQLSTATE`),
  );
  rmSync(join(site.app, 'away'));
  assert.equal((await deploy(quietHost(), settings)).newCommit, commit, site.log());
  site.push({ 'database/migrations/2.php': '<?php', 'fail-migrate': '' });
  assert.equal((await deploy(quietHost(), settings)).exitCode, 3);
  assert.equal((await deploy(quietHost(), settings)).exitCode, 6, 'a migration that fails by itself');
});

test('what keeps every command from working shows at a clearing step first, and later at another: no quarantine', async (t) => {
  const site = await buildSite(t);
  const php = join(site.folder, 'bin/php');
  const stands = readFileSync(php, 'utf8');
  writeFileSync(
    php,
    stands.replace('\n', `\nif [ -e broken ]; then echo 'PHP Fatal error:  no extension in a.php:7'; exit 255; fi\n`),
  );
  const [before, commit] = [site.head(), site.push({ page: 'two' })];
  site.write('broken', '');
  const { exitCode, failedStep } = await deploy(quietHost(), site.settings());
  assert.deepEqual([exitCode, failedStep, site.head()], [3, 'config:clear', before], site.log());
  rmSync(join(site.app, 'broken'));
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, commit, site.log());
});

test('a step that fails at the new commit only is the commit’s fault', async (t) => {
  const site = await buildSite(t);
  site.push({ 'fail-config:cache': '' });
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 3);
  assert.doesNotMatch(site.log(), /Not the fault of/);
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 6);
});

test('what changed and no step applies is warned of before, in the log and in status; nothing is run for it', async (t) => {
  const site = await buildSite(t);
  const lock = 'composer.lock has changed, and no step of the settings runs composer install: vendor/ stays as it is';
  const schema =
    'database/migrations/ has changed, and no step of the settings runs artisan migrate: the database stays as it is';
  const warned = () => [...site.log().matchAll(/^\[INFO\] Warning: (.*)$/gm)].map(([, text]) => text);
  const statusOf = async () => JSON.parse((await holdfast(site, ['status', '--json'])).stdout);
  site.push({ 'composer.lock': 'one', 'database/migrations/1.php': '<?php', page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 0);
  assert.deepEqual(warned(), [lock, schema]);
  assert.ok(site.log().indexOf('Warning: ') < site.log().indexOf('New commit: '), 'before anything is touched');
  const { warnings, problems } = await statusOf();
  assert.deepEqual([warnings, problems], [[lock, schema], []]);
  assert.match((await holdfast(site, ['status'])).stdout, /^\? composer\.lock has changed/m);
  assert.ok(site.artisanCalls().every((call) => !call.startsWith('migrate')));
  site.push({ page: 'three' });
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 0);
  assert.deepEqual([warned().length, (await statusOf()).warnings], [2, []]);
});

test('no warning where a step applies the change, where the commit brings vendor/, or for another preset', async (t) => {
  const site = await buildSite(t);
  writeFileSync(join(site.folder, 'bin', 'composer'), '#!/bin/sh\n', { mode: 0o755 });
  const steps = { before: [{ command: ['sh', '-c', 'composer install'] }, { command: ['php', 'artisan', 'migrate'] }] };
  site.push({ 'composer.lock': 'one', 'database/migrations/1.php': '<?php' });
  await deploy(quietHost(), site.settings({}, { steps }));
  site.push({ 'composer.lock': 'two', 'vendor/autoload.php': '<?php' });
  await deploy(quietHost(), site.settings());
  site.push({ 'composer.lock': 'three', 'vendor/autoload.php': null, 'database/migrations/2.php': '<?php' });
  await deploy(quietHost(), site.settings({ preset: 'none' }));
  assert.doesNotMatch(site.log(), /Warning/);
});

for (const mode of ['in-place', 'releases'] as const) {
  test(`a site that is not Laravel, deployed without --preset none: the commit is not quarantined, and the message names the setting: ${mode}`, async (t) => {
    if (!needs(t, 'php')) return;
    const { app, folder, logFile, push, log } = buildCheckout(t, { page: 'one' });
    const server = createServer((_, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const healthUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const deployWith = (preset: object) =>
      deploy(
        quietHost(),
        settingsOf(
          { appDir: app, branch: 'main', logFile, healthUrl },
          { PATH: process.env.PATH ?? '', HOME: folder },
          { mode, opcache: { wait: '0s' }, ...preset },
        ),
      );
    if (mode === 'releases') assert.equal((await deployWith({ preset: 'none' })).state, 'verified', log());
    const commit = push({ page: 'two' });
    const wrong = await deployWith({});
    assert.deepEqual([wrong.exitCode, wrong.state], [3, 'rolled-back'], log());
    assert.match(
      log(),
      new RegExp(`Not the fault of ${commit}, which is not quarantined: .*: write preset: none under`),
    );
    const right = await deployWith({ preset: 'none' });
    assert.deepEqual([right.exitCode, right.newCommit], [0, commit], log());
  });
}

test('a commit that takes the artisan away is at fault itself', async (t) => {
  if (!needs(t, 'php')) return;
  const { app, folder, logFile, push, log, write } = buildCheckout(t, { artisan: '<?php' });
  write('.env', 'A=b');
  push({ artisan: null });
  const settings = settingsOf(
    { appDir: app, branch: 'main', logFile, healthUrl: 'http://127.0.0.1:1/' },
    { PATH: process.env.PATH ?? '', HOME: folder },
    { opcache: { wait: '0s' }, caches: { clear: [{ command: ['php', 'artisan', 'config:clear'] }], rebuild: [] } },
  );
  assert.match(String((await deploy(quietHost(), settings)).because), /there is no artisan in the checkout/, log());
  assert.equal((await deploy(quietHost(), settings)).exitCode, 6, log());
});
