import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import type { Host } from '../../../src/host/host.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { mortalHost } from '../support/mortal-host.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const maintenance = { file: 'down' };
/** Writes what a visitor gets in the middle of the deploy: the status and Retry-After. */
const visit = (url: string, to: string) => ({
  command: ['sh', '-c', `curl -s -o /dev/null -w '%{http_code} %header{retry-after}\\n' ${url} >> ${to}`],
});

test('with a file for the web server visitors get 503 while the tree changes, and the health check finds the site open', async (t) => {
  const site = await buildSite(t);
  const visits = join(site.folder, 'visits');
  const after = [visit(site.healthUrl, visits)];
  const commit = site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, { maintenance, steps: { after } }));
  assert.deepEqual([document.state, document.newCommit], ['verified', commit], site.log());
  assert.match(readFileSync(visits, 'utf8'), /^503 /);
  assert.equal(site.read('down'), undefined);
  const settings = site.settings({}, { maintenance, steps: { after } });
  assert.equal((await rollback(quietHost(), settings, { commit: 'HEAD~1' })).state, 'verified');
  assert.match(readFileSync(visits, 'utf8'), /^503 .*\n503 /, 'in a rollback by hand too');
  assert.equal(site.read('down'), undefined);
});

test('in the mode releases visitors get it from the steps of the new release until opcache is renewed', async (t) => {
  const site = await buildSite(t, 'releases');
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  const [flag, seen] = [join(site.app, 'down'), join(site.folder, 'seen')];
  const look = (when: string) => ({ command: ['sh', '-c', `test -e ${flag} && echo ${when} >> ${seen}; true`] });
  const steps = { before: [look('before')], after: [look('after')] };
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, { maintenance, steps }));
  assert.equal(document.state, 'verified', site.log());
  assert.equal(readFileSync(seen, 'utf8'), 'before\nafter\n');
  assert.ok(!existsSync(flag));
});

test('a reset that fails and is undone leaves no maintenance page', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const host = quietHost();
  const run: typeof host.run = (command, options) =>
    host.run(command.includes('--hard') && command.at(-1) !== site.head() ? ['false'] : command, options);
  const document = await deploy({ ...host, run }, site.settings({}, { maintenance }));
  assert.deepEqual([document.state, document.exitCode], ['aborted', 1], site.log());
  assert.match(site.log(), /^\[INFO\] Maintenance mode: visitors get 503/m);
  assert.equal(site.read('down'), undefined);
});

test('what a run has left is lifted before the next one asks whether the site is up', async (t) => {
  const site = await buildSite(t);
  const settings = () => site.settings({}, { maintenance, health: { baseline: 'refuse' } });
  site.push({ page: 'two' });
  const mortal = await mortalHost();
  const replace: Host['files']['replace'] = async (path, ...more) => {
    await mortal.host.files.replace(path, ...more);
    // Killed when the page is up, and before anything else is on record.
    if (path.endsWith('/down')) await new Promise(() => {});
  };
  const host = { ...mortal.host, files: { ...mortal.host.files, replace } };
  await Promise.race([deploy(host, settings()), until(() => site.read('down') !== undefined, 'the page is up')]);
  await mortal.bury();
  assert.equal((await deploy(quietHost(), settings())).state, 'verified', site.log());
  // A run that has ended, and could not remove it.
  site.write('down', '');
  const files = [join(site.app, 'down')];
  writeFileSync(join(site.app, '.git/holdfast/maintenance.json'), JSON.stringify({ files }));
  site.push({ page: 'three' });
  assert.equal((await deploy(quietHost(), settings())).state, 'verified', site.log());
  assert.equal(site.read('down'), undefined);
});

test('a commit that fails is rolled back behind the maintenance page, which is lifted before the last health check', async (t) => {
  const site = await buildSite(t);
  site.push({ status: '500' });
  const document = await deploy(quietHost(), site.settings({}, { maintenance }));
  assert.deepEqual([document.state, document.httpStatus], ['rolled-back', 200], site.log());
  assert.equal(site.log().match(/Maintenance mode: visitors get 503/g)?.length, 2);
  assert.equal(site.log().match(/Maintenance mode ended/g)?.length, 2);
  assert.equal(site.read('down'), undefined);
});

test('a maintenance mode that a person has set stays', async (t) => {
  const site = await buildSite(t);
  site.write('down', 'by hand');
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, { maintenance }));
  assert.notEqual(document.exitCode, 0);
  assert.equal(site.read('down'), 'by hand');
  assert.match(site.log(), /in maintenance mode already .*: it stays in it/);
});

/** The program itself, held in the middle of its caches while visitors get 503. */
async function heldInMaintenance(site: Site) {
  site.write('.git/info/exclude', 'hold-*\ndown\n');
  site.write('hold-config:cache', '');
  const settings = { deployment: { opcache: { wait: '0s' }, maintenance } };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify(settings));
  site.push({ page: 'two' });
  const running = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().some((call) => call.startsWith('config:cache')), 'the caches are rebuilt');
  assert.equal(await statusOf(site.healthUrl), 503);
  return running;
}

const statusOf = (url: string) =>
  new Promise((resolve) => get(url, (response) => resolve(response.resume().statusCode)));

test('SIGTERM lifts it: the site is put back and open', async (t) => {
  const site = await buildSite(t);
  const { child, ended } = await heldInMaintenance(site);
  child.kill('SIGTERM');
  rmSync(join(site.app, 'hold-config:cache'));
  const end = await ended;
  assert.equal(end.exitCode, 143, site.log());
  assert.equal(await statusOf(site.healthUrl), 200);
});

test('after kill -9 doctor --repair lifts it, and so does the next deploy', async (t) => {
  for (const words of [['doctor', '--repair'], ['deploy']]) {
    const site = await buildSite(t);
    const { child, ended } = await heldInMaintenance(site);
    child.kill('SIGKILL');
    await ended;
    assert.equal(await statusOf(site.healthUrl), 503);
    rmSync(join(site.app, 'hold-config:cache'));
    const end = await holdfast(site, words);
    assert.equal(end.exitCode, 0, site.log());
    assert.equal(await statusOf(site.healthUrl), 200);
    assert.ok(!existsSync(join(site.app, '.git/holdfast/maintenance.json')));
  }
});

test('a real Laravel answers 503 with Retry-After by artisan down, and is up for the health check', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  const visits = join(site.folder, 'visits');
  const steps = { before: [visit(site.url, visits)], after: [visit(site.url, visits)] };
  site.pushVersion('two');
  const good = await deploy(quietHost(), site.settings({}, { maintenance: true, steps }));
  assert.equal(good.state, 'verified', site.log());
  assert.equal(readFileSync(visits, 'utf8'), '503 60\n503 60\n', site.log());
  assert.match((await site.get('/')).body, /class=two view=two config=two/);
  site.pushVersion('broken', { broken: true });
  const page = join(site.folder, 'page');
  const show = { command: ['sh', '-c', `php storage/framework/maintenance.php > ${page}`], on: 'rollback' };
  const around = { before: [...steps.before, show], after: steps.after };
  const document = await deploy(quietHost(), site.settings({}, { maintenance: true, steps: around }));
  assert.equal(document.state, 'rolled-back', site.log());
  assert.equal(readFileSync(visits, 'utf8'), '503 60\n'.repeat(6), 'in the deploy and in its rollback');
  assert.match(readFileSync(page, 'utf8'), /<h1>503 Service Unavailable/, 'without any code of the application');
  assert.match((await site.get('/')).body, /class=two view=two config=two/);
  assert.ok(!existsSync(join(site.app, 'storage/framework/down')));
});

test('with umask 077 php-fpm as another user answers 503 too, by artisan down and without it', async (t) => {
  if (!needsLaravel(t)) return;
  if (userInfo().uid !== 0) return void t.skip('needs root, to run php-fpm as another user');
  const site = await buildLaravel(t, { poolUser: 'nobody' });
  chmodSync(site.folder, 0o755);
  execFileSync('chmod', ['-R', 'a+rwX', join(site.app, 'storage')]);
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  const visits = join(site.folder, 'visits');
  const steps = { before: [visit(site.url, visits)] };
  site.pushVersion('two');
  const good = await deploy(quietHost(), site.settings({}, { maintenance: true, steps }));
  assert.equal(good.state, 'verified', site.log());
  site.pushVersion('broken', { broken: true });
  const document = await deploy(quietHost(), site.settings({}, { maintenance: true, steps }));
  assert.equal(document.state, 'rolled-back', site.log());
  assert.equal(readFileSync(visits, 'utf8'), '503 60\n'.repeat(3), site.log());
});
