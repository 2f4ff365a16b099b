import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { plan } from '../../../src/deployment/plan.ts';
import { needs } from '../../support/needs.ts';
import { buildCheckout } from '../support/checkout.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, settingsOf } from '../support/site.ts';

for (const mode of ['in-place', 'releases'] as const)
  test(`an application in a subfolder of its repository: its commands run there, its paths are from there: ${mode}`, async (t) => {
    const site = await buildSite(t, mode);
    site.push({ 'backend/page': 'one', 'backend/.gitignore': 'calls\nstorage/\n.env\n', 'backend/artisan': '<?php' });
    site.write('backend/.env', 'A=b');
    const settings = site.settings({ mode, subfolder: 'backend' });
    assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
    assert.equal(site.read('backend/page'), 'one');
    assert.match(site.read('backend/calls') ?? '', /^config:cache /m);
    assert.equal(site.read('calls'), undefined);
    assert.ok(plan(settings).some((line) => /^\(cd backend && php artisan config:cache/.test(line)));
    if (mode === 'releases') assert.equal(site.read('backend/.env'), 'A=b', 'it is shared from its place');
    site.write('backend/.env', 'A=two words');
    site.push({ 'backend/page': 'two' });
    const { because } = await deploy(quietHost(), settings);
    if (mode === 'in-place') assert.match(String(because), /environment file \S+\/backend\/\.env is broken in line 1/);
  });

test('a real Laravel in a subfolder: all steps in one process, and its caches are in its own folders', async (t) => {
  if (!needs(t, 'php') || !needs(t, '../share/php/Illuminate/autoload.php')) return;
  const site = buildCheckout(t, { 'README.md': 'a repository of several applications' });
  cpSync(new URL('../fixtures/laravel/', import.meta.url), join(site.developer, 'backend'), { recursive: true });
  site.push({});
  site.git(site.app, 'pull', '--quiet', 'origin', 'main');
  const backend = join(site.app, 'backend');
  copyFileSync(join(backend, '.env.example'), join(backend, '.env'));
  execFileSync('php', ['artisan', 'key:generate', '--force'], { cwd: backend, stdio: 'ignore' });
  site.push({ 'backend/resources/views/other.blade.php': 'other' });
  const given = { appDir: site.app, branch: 'main', logFile: site.logFile, variant: 'basic', subfolder: 'backend' };
  const settings = settingsOf(given, { PATH: process.env.PATH ?? '', HOME: site.folder }, {});
  const { state, exitCode } = await deploy(quietHost(), settings);
  assert.deepEqual([state, exitCode], ['updated', 0], site.log());
  const made = readdirSync(join(backend, 'bootstrap/cache'));
  assert.deepEqual(
    ['config.php', 'routes-v7.php'].filter((name) => !made.includes(name)),
    [],
    site.log(),
  );
  assert.equal(site.git(site.app, 'status', '--porcelain'), '');
});
