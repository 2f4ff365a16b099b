import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { becauseOf } from '../../../src/deployment/log/because.ts';
import { asReason, lastError, phpError } from '../../../src/deployment/run/application-error.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const commit = 'a'.repeat(40);

test('a commit that answers 500: the failure line and `because` have the exception that the application has logged', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  site.write('storage/logs/laravel.log', '[2026-01-01 00:00:00] production.ERROR: an old one\n');
  const bad = site.pushVersion('two', { broken: true });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back', site.log());
  const reason = 'RuntimeException: this version is broken at app/Http/Controllers/PageController.php:28';
  assert.ok(site.log().includes(`[ERROR] Health check failed (500) at ${bad}: ${reason}\n`), site.log());
  assert.equal(document.because, `Health check failed (500) at ${bad}: ${reason}`);
  assert.equal(document.failedStep, 'health');
  const { previousCommit, httpStatus, checks } = document;
  assert.deepEqual(
    checks.map((check) => [check.commit, check.httpStatus]),
    [
      [bad, 500],
      [previousCommit, 200],
    ],
  );
  assert.equal(httpStatus, 200);
  assert.ok(checks.every(({ at, seconds }) => at >= document.startedAt && at <= document.finishedAt && seconds > 0));
});

test('a commit with which the application cannot start: `because` has the exception, without the secrets in .env', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const provider = site.read('app/Providers/RouteServiceProvider.php') ?? '';
  const thrown = "throw new \\Exception('Refused with ' . env('PAYMENT_SECRET'));";
  site.write('.env', `${site.read('.env')}\nPAYMENT_SECRET="hush hush"\n`);
  const bad = site.push({
    'app/Providers/RouteServiceProvider.php': provider.replace('boot()\n    {', `boot()\n    {\n        ${thrown}`),
  });
  const { state, because, failedStep, checks } = await deploy(quietHost(), site.settings());
  assert.equal(state, 'rolled-back', site.log());
  assert.match(
    because ?? '',
    new RegExp(`^The application cannot start with commit ${bad}: Exception: Refused with \\[redacted\\] at app/`),
  );
  assert.equal(failedStep, 'start aside');
  assert.deepEqual(
    checks.map(({ httpStatus }) => httpStatus),
    [200],
  );
  assert.ok(!site.log().includes('hush'));
});

test('a log of the day is read too, and nothing that was logged before the check', async (t) => {
  const site = await buildSite(t);
  site.write('storage/logs/laravel.log', '[2026-01-01 00:00:00] production.ERROR: an old one\n');
  site.write('storage/logs/laravel-2026-01-01.log', '[2026-01-01 00:00:00] production.ERROR: an old one\n');
  site.push({ status: '500' });
  const old = await deploy(quietHost(), site.settings());
  assert.match(old.because ?? '', /^Health check failed \(500\) at [0-9a-f]{40}$/);
  const today = join(site.app, 'storage/logs/laravel-2026-01-02.log');
  site.server.prependListener('request', () =>
    appendFileSync(today, '[2026-01-02 00:00:00] production.ERROR: a new one {"userId":1} \n'),
  );
  site.push({ status: '500', more: '' });
  const { because } = await deploy(quietHost(), site.settings());
  assert.match(because ?? '', /^Health check failed \(500\) at [0-9a-f]{40}: a new one$/);
});

test('the last error of a log is its exception, or its message', () => {
  const exception =
    '[2026-11-22 21:03:08] production.ERROR: No driver {"exception":"[object] (App\\\\Exceptions\\\\Gone(code: 0): No driver at /srv/app/app/Pay.php:27)\n[stacktrace]\n#0 /srv/app/x.php(3): y()\n"} \n';
  assert.equal(lastError(exception), 'App\\Exceptions\\Gone: No driver at /srv/app/app/Pay.php:27');
  assert.equal(lastError(`${exception}[2026-11-22 21:03:09] local.INFO: fine\n`), lastError(exception));
  assert.equal(
    lastError(
      '[2026-11-22T21:03:08.123456+00:00] request.CRITICAL: Uncaught PHP Exception Error: "x" at y.php line 3 {"a":1} []\n',
    ),
    'Uncaught PHP Exception Error: "x" at y.php line 3',
  );
  assert.equal(lastError('no log at all\n'), undefined);
});

test('the last fatal error of PHP is found in its own log and in nginx', () => {
  const own =
    '[22-Nov-2026 21:03:08 UTC] PHP Fatal error:  Uncaught Error: x in /srv/a.php:3\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 3\n';
  assert.equal(phpError(own), 'Uncaught Error: x in /srv/a.php:3');
  const nginx =
    '2026/11/22 21:03:08 [error] 1#1: *1 FastCGI sent in stderr: "PHP message: PHP Parse error:  unexpected x in /srv/a.php on line 3" while reading response header from upstream\n';
  assert.equal(phpError(own + nginx), 'unexpected x in /srv/a.php on line 3');
  assert.equal(phpError('[22-Nov-2026 21:03:08 UTC] PHP Warning:  y in /srv/a.php on line 3\n'), undefined);
});

test('a site without a framework: a log of PHP that the settings name gives the reason, without the secrets in .env', async (t) => {
  const site = await buildSite(t);
  site.write('.env', 'API_TOKEN=hush-hush\n');
  const old = '[01-Jan-2026 00:00:00 UTC] PHP Fatal error:  Uncaught Error: an old one\n';
  site.write('storage/php.log', old);
  const settings = site.settings({ preset: 'none' }, { logs: ['storage/php.log'] });
  const line = `[02-Jan-2026 00:00:00 UTC] PHP Fatal error:  Uncaught Error: hush-hush in ${site.app}/page.php:2\n`;
  site.server.prependListener('request', () => appendFileSync(join(site.app, 'storage/php.log'), line));
  site.push({ status: '500' });
  const { because } = await deploy(quietHost(), settings);
  assert.match(
    because ?? '',
    /^Health check failed \(500\) at [0-9a-f]{40}: Uncaught Error: \[redacted\] in page\.php:2$/,
  );
  assert.ok(!site.log().includes('hush'), site.log());
});

test('no secret of the application is in a reason: passwords in addresses, those of .env.local and of the environment', async (t) => {
  const site = await buildSite(t);
  site.write('.env', 'DATABASE_URL="mysql://shop:pass%40word@db/shop"\n');
  site.write(
    '.env.local',
    'export REDIS_URL=redis://:redis-word@cache\nSMTP_PASSWORD=local-word-long\nSHORT_KEY=local-word',
  );
  site.write('.env.example', 'DB_PASSWORD=example');
  const environment = { DEPLOY_TOKEN: 'env-word' };
  const { host, settings, checkout } = {
    host: quietHost(),
    settings: site.settings({}, { environment }),
    checkout: { directory: site.app } as Parameters<typeof asReason>[0]['checkout'],
  };
  const reasonOf = (text: string) => asReason({ host, settings, checkout }, text);
  assert.equal(
    await reasonOf(`mysql://shop:pass%40word@db, pass@word, redis://:redis-word@cache at ${site.app}/x.php:1`),
    'mysql://shop:[redacted]@db, [redacted], redis://:[redacted]@cache at x.php:1',
  );
  assert.equal(await reasonOf('local-word-long env-word example'), '[redacted] [redacted] example');
});

test('`because` is the first failure, and null where all went well', () => {
  const failed = { type: 'health-checked', commit, status: 500, reason: 'Error: x' } as const;
  assert.deepEqual(becauseOf('rolled-back', [failed, { type: 'rolled-back', commit }]), {
    because: `Health check failed (500) at ${commit}: Error: x`,
    failedStep: 'health',
  });
  assert.deepEqual(becauseOf('aborted', [{ type: 'fetch-failed' }]), {
    because: 'Git fetch failed',
    failedStep: 'fetch',
  });
  assert.deepEqual(becauseOf('aborted', [{ type: 'refused', because: 'locked', exitCode: 6 }]), {
    because: 'locked',
    failedStep: null,
  });
  assert.deepEqual(becauseOf('verified', [{ type: 'health-checked', commit, status: 200 }]), {
    because: null,
    failedStep: null,
  });
});
