import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckout } from '../../src/deployment/checkout/open-checkout.ts';
import { deploy } from '../../src/deployment/deploy.ts';
import { examine } from '../../src/deployment/doctor.ts';
import { decideMeans } from '../../src/deployment/opcache/means.ts';
import { refusals } from '../../src/deployment/refusals.ts';
import type { DeploymentSettings } from '../../src/deployment/settings/settings.ts';
import { needs } from '../../src/deployment/verify/cannot-start.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite, type Site } from './support/site.ts';

const wrongNames = async (settings: DeploymentSettings) => {
  const host = quietHost();
  const checks = await examine(host, settings, await openCheckout(host, settings));
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
};

/** How a site comes to lack what a deploy needs. A folder that root cannot write does not exist. */
const lacks: Readonly<Record<string, (site: Site) => object>> = {
  program: (site) => {
    renameSync(join(site.folder, 'bin/php'), join(site.folder, 'bin/gone'));
    return { caches: { clear: [{ command: [join(site.folder, 'bin/php')] }], rebuild: [] } };
  },
  env: (site) => {
    site.write('artisan', '<?php');
    site.write('.env', 'A=two words');
    return {};
  },
  lfs: (site) => {
    site.push({ 'public/.gitattributes': '*.png filter=lfs -text\n' });
    site.git(site.app, 'pull', '--quiet', 'origin', 'main');
    return {};
  },
};

for (const { name } of needs)
  test(`what a deploy needs is what doctor and the dry run look for: ${name}`, async (t) => {
    const lack = lacks[name];
    if (lack === undefined) return t.skip('only another user than root lacks it');
    const site = await buildSite(t);
    const settings = site.settings({}, lack(site));
    assert.ok((await wrongNames(settings)).includes(name));
    assert.equal((await refusals(quietHost(), settings)).length, 1);
    const before = site.head();
    site.push({ page: 'two' });
    const { exitCode, because } = await deploy(quietHost(), settings);
    assert.deepEqual([exitCode, site.head()], [2, before], site.log());
    assert.match(String(because), /No commit could start with that, so nothing was changed$/);
  });

test('a deploy reads the commit that origin has, whatever git replace shows here, and doctor names it', async (t) => {
  const site = await buildSite(t);
  const [old, commit] = [site.head(), site.push({ page: 'two' })];
  site.git(site.app, 'fetch', '--quiet', 'origin');
  site.git(site.app, 'replace', commit, old);
  const host = quietHost();
  const checks = await examine(host, site.settings(), await openCheckout(host, site.settings()));
  assert.ok(checks.some(({ said, warning }) => warning && said.includes(`such as ${commit}`)));
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, commit);
  assert.equal(site.read('page'), 'two');
});

test('an opcache that is full, or soon will be, is named before a deploy and by doctor', () => {
  const settings = { enabled: true, validateTimestamps: true, revalidateSeconds: 2, preloads: false };
  const answer = { ...settings, cached: 300, visited: false, full: false, forgotten: true };
  const warnings = (more: object) =>
    decideMeans([{ address: '/a', master: '1', settings, isOurs: true, answer: { ...answer, ...more } }]).warnings;
  assert.deepEqual(warnings({ keysLeft: 4000 }), []);
  assert.match(
    String(warnings({ keysLeft: 282 })),
    /has room for 282 files more, and the site has 300: .*max_accelerated_files/,
  );
  assert.match(String(warnings({ full: true })), /opcache of php-fpm at \/a is full/);
});
