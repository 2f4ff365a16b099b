import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import type { Host } from '../../../src/host/host.ts';
import { needs, whereIs } from '../../support/needs.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { tagged } from '../support/log.ts';
import { mortalHost } from '../support/mortal-host.ts';
import { leftOfServers, privateServers } from '../support/private-servers.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';
import { isTorn, visit } from '../support/visitors.ts';

/** A page that answers with the status in the commit's file, and says how it was asked. */
const page = `<?php
http_response_code((int) file_get_contents(__DIR__.'/../status'));
echo json_encode([$_SERVER['HTTP_HOST'], $_SERVER['REQUEST_URI'], $_SERVER['HTTPS'] ?? 'off', $_SERVER['HTTP_X_TOKEN'] ?? null]);
`;
const before = { health: { before: true } };
const live = (site: Site): string => realpathSync(join(site.app, 'current'));

async function buildServed(t: TestContext): Promise<Site> {
  const site = await buildSite(t, 'releases');
  site.push({ 'public/index.php': page, 'public/fatal.php': '<?php missing_function();' });
  assert.equal((await deploy(quietHost(), site.settings({}, before))).state, 'verified', site.log());
  return site;
}

test('a release that fails by itself is never shown: the link stays, the commit is quarantined, and the exit code is 3', async (t) => {
  if (!needs(t, 'php')) return;
  const site = await buildServed(t);
  const [there, head, { length }] = [live(site), site.head(), site.log()];
  const requests = site.requests();
  const commit = site.push({ page: 'two', status: '500' });
  const document = await deploy(quietHost(), site.settings({}, before));
  assert.deepEqual([document.state, document.exitCode, document.httpStatus], ['rolled-back', 3, 200], site.log());
  assert.deepEqual([document.newCommit, document.failedStep], [commit, 'health before']);
  assert.equal(document.because, `Health check before the switch failed (500) at ${commit}`);
  assert.deepEqual(
    document.checks.map((check) => [check.commit, check.httpStatus]),
    [
      [commit, 500],
      [head, 200],
    ],
  );
  assert.equal(live(site), there);
  assert.equal(site.requests() - requests, 2, 'visitors’ address was asked before and after only');
  assert.deepEqual(
    tagged(site.log().slice(length)).filter((line) => !line.includes('to be shared')),
    [
      `[INFO] Previous commit: ${head}`,
      `[INFO] New commit: ${commit}`,
      `[ERROR] Health check before the switch failed (500) at ${commit}`,
      `[ROLLBACK] Nothing was changed: still at ${head}`,
      `[INFO] Health check passed (200) at ${head}`,
    ],
  );
  assert.deepEqual(leftOfServers(site.app), []);
  assert.equal((await deploy(quietHost(), site.settings({}, before))).exitCode, 6);
});

test('the release is asked under the name, the path and with the headers of the health check, and as HTTPS where that is HTTPS', async (t) => {
  if (!needs(t, 'php')) return;
  const site = await buildServed(t);
  site.push({ page: 'two' });
  const health = {
    before: true,
    baseline: 'skip',
    headers: { 'X-Token': 'a token' },
    bodyContains: '["app.example","\\/up?deep=1","on","a token"]',
  };
  const document = await deploy(
    quietHost(),
    site.settings(
      { healthUrl: 'https://app.example/up?deep=1' },
      { health: { ...health, attempts: 1, timeout: '1s' } },
    ),
  );
  assert.deepEqual(
    document.checks.map(({ httpStatus }) => httpStatus),
    [200, 0, 0],
    `the private check passed, and nobody answers at the address itself: ${site.log()}`,
  );
});

test('a fatal error of PHP is the reason, and 500', async (t) => {
  if (!needs(t, 'php')) return;
  const site = await buildServed(t);
  const commit = site.push({ page: 'two', 'public/index.php': '<?php missing_function();' });
  // As where there is no php.ini: PHP answers 200 to a fatal error that it shows.
  writeFileSync(join(site.folder, 'php.ini'), 'display_errors=1\n');
  const environment = { PHPRC: site.folder };
  assert.equal((await deploy(quietHost(), site.settings({}, { ...before, environment }))).exitCode, 3);
  assert.match(
    site.log(),
    new RegExp(
      `before the switch failed \\(500\\) at ${commit}: Uncaught Error: Call to undefined function missing_function`,
    ),
  );
});

test('a fatal error that names a secret of .env is reported without it', async (t) => {
  if (!needs(t, 'php')) return;
  const site = await buildServed(t);
  site.write('.env', 'API_TOKEN=hush-hush\n');
  site.push({ page: 'two', 'public/index.php': "<?php throw new Exception('Refused with hush-hush');" });
  const { because } = await deploy(quietHost(), site.settings({}, before));
  assert.match(because ?? '', /: Uncaught Exception: Refused with \[redacted\] in public\/index\.php:1$/);
  assert.ok(!site.log().includes('hush'), site.log());
});

test('a server that cannot be started says nothing of the commit, which is not quarantined', async (t) => {
  if (!needs(t, 'php')) return;
  const site = await buildServed(t);
  const there = live(site);
  site.push({ page: 'two', 'public/index.php': null, 'public/fatal.php': null });
  const document = await deploy(quietHost(), site.settings({}, before));
  assert.deepEqual([document.state, document.exitCode, live(site)], ['rolled-back', 3, there], site.log());
  assert.match(site.log(), /^\[ERROR\] Starting PHP's own server [^\n]*: Directory public does not exist\.$/m);
  assert.match(site.log(), /^\[ROLLBACK\] Nothing was changed: still at /m);
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 0);
});

test('settings in which nothing could be asked before visitors see it are mistakes', async (t) => {
  const site = await buildSite(t, 'releases');
  const wrong = (flags: object, file: object) => () => site.settings({ ...flags }, { ...before, ...file });
  assert.throws(wrong({ mode: 'in-place' }, {}), /health\.before is for the mode "releases"/);
  assert.throws(wrong({ variant: 'basic' }, {}), /health\.before is on, and the variant "basic"/);
  assert.throws(wrong({}, { preset: 'none' }), /health\.before is on, and the preset is not for PHP/);
  assert.throws(wrong({}, { maintenance: true }), /answers 503 too: name a file/);
  assert.ok(site.settings({}, { ...before, maintenance: { file: 'down' } }).health.before);
});

test('doctor looks for the program, and --dry-run shows the check', async (t) => {
  const site = await buildSite(t, 'releases');
  const deployment = { mode: 'releases', opcache: { wait: '0s' }, caches: { clear: [], rebuild: [] }, ...before };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  rmSync(join(site.folder, 'bin/php'));
  const PATH = join(site.folder, 'only');
  mkdirSync(PATH);
  for (const name of ['git', 'sh', 'find', 'readlink']) symlinkSync(whereIs(name) ?? '', join(PATH, name));
  const doctor = await holdfast(site, ['doctor'], { PATH });
  assert.match(doctor.stdout, /php is not on the PATH of the deploy/);
  const { stdout } = await holdfast(site, ['deploy', '--dry-run']);
  assert.match(stdout, /asks it by itself, on this machine alone/);
  assert.match(stdout, /# GET the same of php -S 127\.0\.0\.1:0 -t public: any status but 200 ends here/);
});

test('killed while the release is asked: the next run ends the server, and nobody saw the release', async (t) => {
  if (!needs(t, 'php')) return;
  const site = await buildServed(t);
  const [there, head] = [live(site), site.head()];
  site.push({ page: 'two' });
  const mortal = await mortalHost();
  const host: Host = { ...mortal.host, http: asksOnly(site.healthUrl, mortal.host.http) };
  await Promise.race([
    deploy(host, site.settings({}, before)),
    until(() => privateServers(site.app).length > 1, 'it serves'),
  ]);
  await mortal.bury();
  const document = await repairNow(quietHost(), site.settings({}, before));
  assert.deepEqual([document.exitCode, live(site), site.head()], [0, there, head], site.log());
  assert.match(site.log(), /^\[INFO\] Its commands have ended: \d+$/m);
  assert.deepEqual(leftOfServers(site.app), []);
});

/** The site's own address answers; the private one never does. */
function asksOnly(healthUrl: string, http: Host['http']): Host['http'] {
  return (request, signal) => (request.url === healthUrl ? http(request, signal) : new Promise(() => {}));
}

test('kill -9 of the program itself ends its server too, before any other run', async (t) => {
  if (!needs(t, 'php')) return;
  const site = await buildServed(t);
  site.push({ page: 'two', 'public/index.php': '<?php sleep(60);' });
  const deployment = { mode: 'releases', opcache: { wait: '0s' }, ...before };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => privateServers(site.app).length > 1, 'it serves');
  child.kill('SIGKILL');
  await ended;
  await until(() => privateServers(site.app).length === 0, 'the server has ended');
  assert.equal((await holdfast(site, ['doctor', '--repair'])).exitCode, 0, site.log());
  assert.deepEqual(leftOfServers(site.app), []);
});

test('a real Laravel: a broken commit is found before the switch, and no visitor gets an error', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t, { mode: 'releases' });
  assert.equal((await deploy(quietHost(), site.settings({}, before))).state, 'verified', site.log());
  const visitors = visit(t, site.url, 20);
  const commit = site.pushVersion('broken', { broken: true });
  const document = await deploy(quietHost(), site.settings({}, before));
  assert.deepEqual([document.state, document.exitCode], ['rolled-back', 3], site.log());
  assert.match(document.because ?? '', new RegExp(`before the switch failed \\(500\\) at ${commit}: \\S+`));
  const visits = await visitors.stop();
  assert.ok(visits.length > 0);
  assert.deepEqual(
    visits.filter((each) => each.status !== 200 || isTorn(each)),
    [],
  );
  site.pushVersion('good');
  assert.equal((await deploy(quietHost(), site.settings({}, before))).state, 'verified', site.log());
  assert.deepEqual(leftOfServers(site.app), []);
});
