import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';

test('releases: with umask 077 php-fpm as another user reads the new release, its caches and what leads to it', async (t) => {
  if (!needsLaravel(t)) return;
  if (userInfo().uid !== 0) return void t.skip('needs root, to run php-fpm as another user');
  const site = await buildLaravel(t, { mode: 'releases', poolUser: 'nobody' });
  chmodSync(site.folder, 0o755);
  execFileSync('chmod', ['-R', 'a+rwX', join(site.app, 'storage')]);
  // The commit has no folder for it.
  mkdirSync(join(site.app, 'uploads/files'), { recursive: true });
  const file = { opcache: { fastcgi: site.fastcgi }, releases: { shared: ['.env', 'storage', 'uploads/files'] } };
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  for (const version of ['two', 'three']) {
    site.pushVersion(version);
    const document = await deploy(quietHost(), site.settings({}, file));
    assert.equal(document.state, 'verified', site.log());
    assert.match((await site.get('/')).body, new RegExp(`class=${version} view=${version} config=${version}`));
  }
  const modeOf = (path: string) => (statSync(join(site.app, path)).mode & 0o777).toString(8);
  assert.deepEqual(['releases', 'current/.', 'current/uploads'].map(modeOf), ['755', '755', '755']);
  const caches = globSync('current/bootstrap/cache/**/*.php', { cwd: site.app });
  assert.ok(caches.length > 3, caches.join(' '));
  for (const path of caches) assert.match(modeOf(path), /^[67][45][45]$/, path);
});
