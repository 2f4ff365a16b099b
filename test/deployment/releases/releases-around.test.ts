import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { giveDefaultAcl, hasAcl } from '../support/acl.ts';
import { type Ended, holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const live = (site: Site): string => realpathSync(join(site.app, 'current'));
const isRoot = process.getuid?.() === 0;

/** Runs the program in the mode `releases`, as the file says it. */
function program(site: Site, releases: object, ...words: readonly string[]): Promise<Ended> {
  const deployment = { mode: 'releases', opcache: { wait: '0s' }, releases };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  return holdfast(site, words);
}

/** The path of the archive that a backup has made. */
async function backedUp(site: Site, releases: object): Promise<string> {
  assert.equal((await program(site, releases, 'deploy')).exitCode, 0, site.log());
  const made = await program(site, releases, 'backup', '--backup-dir', join(site.folder, 'backups'));
  assert.equal(made.exitCode, 0, site.log());
  return /Backup: (\S+)/.exec(site.log())?.[1] ?? '';
}

test('after the restore of a backup its live release is a release again, here and on another machine', async (t) => {
  const site = await buildSite(t, 'releases');
  const releases = { keep: 1 };
  const archive = await backedUp(site, releases);
  site.push({ page: 'two' });
  assert.equal((await program(site, releases, 'deploy')).exitCode, 0);
  for (const isElsewhere of [false, true]) {
    if (isElsewhere) rmSync(site.app, { recursive: true });
    mkdirSync(site.app, { recursive: true });
    const restored = await program(site, releases, 'restore', archive, '--yes');
    assert.deepEqual([restored.exitCode, site.read('page')], [0, 'one'], restored.stderr);
    assert.equal((await program(site, releases, 'doctor')).exitCode, 0);
    assert.equal((await program(site, releases, 'deploy')).exitCode, 0, site.log());
    assert.deepEqual([site.read('page'), readdirSync(join(site.app, 'releases')).length], ['two', 1]);
  }
  const listing = execFileSync('tar', ['--list', `--file=${archive}`], { encoding: 'utf8' });
  assert.doesNotMatch(listing, /holdfast\/(?:journal|lock|runs)/, 'what is of this time and this machine alone');
});

test('releases that do not lie in the checkout are in its backup, and come back with it', async (t) => {
  const site = await buildSite(t, 'releases');
  const folder = join(site.folder, 'elsewhere');
  const archive = await backedUp(site, { folder });
  writeFileSync(join(folder, 'of another site'), '');
  rmSync(live(site), { recursive: true });
  const refused = await program(site, {}, 'restore', archive, '--yes');
  assert.deepEqual([refused.exitCode, site.read('page')], [2, undefined]);
  assert.match(refused.stderr, /elsewhere\/\S* does not lie in \/\S+\/app\.$/m);
  assert.equal((await program(site, { folder }, 'restore', archive, '--yes')).exitCode, 0);
  assert.equal(site.read('page'), 'one');
  const listing = execFileSync('tar', ['--list', `--file=${archive}`], { encoding: 'utf8' });
  assert.doesNotMatch(listing, /another site/);
});

test('who may write compiled views by an ACL may in those of each release', async (t) => {
  const site = await buildSite(t, 'releases');
  const views = join(site.app, 'storage/framework/views');
  mkdirSync(views, { recursive: true });
  if (!giveDefaultAcl(views, 'user::rwx,user:33:rwx,group::r-x,mask::rwx,other::r-x', 0o775))
    return t.skip('the file system has no ACLs');
  await deploy(quietHost(), site.settings());
  assert.ok(hasAcl(join(live(site), 'bootstrap/cache/views')), site.log());
});

for (const name of ['chgrp', 'chmod', 'tar'])
  test(`permissions that ${name} cannot give to a folder of a release are logged`, async (t) => {
    const site = await buildSite(t, 'releases');
    mkdirSync(join(site.app, 'storage/framework/views'), { recursive: true });
    writeFileSync(join(site.folder, 'bin', name), '#!/bin/sh\ncat > /dev/null\nexit 1\n');
    chmodSync(join(site.folder, 'bin', name), 0o755);
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.match(
      site.log(),
      /^\[ERROR\] \S+\/bootstrap\/cache\/views does not have the permissions of \S+\/framework\/views: /m,
    );
  });

test('doctor ignores the owners of files that the application itself writes in a release', {
  skip: isRoot ? false : 'only root can give files away',
}, async (t) => {
  const site = await buildSite(t, 'releases');
  assert.equal((await program(site, {}, 'deploy')).exitCode, 0);
  const give = (path: string): void => {
    writeFileSync(join(live(site), path), '');
    chownSync(join(live(site), path), 33, 33);
  };
  give('bootstrap/cache/views/compiled.php');
  // Its exit code says more than this: a php-fpm of another test may be the only one of the machine.
  assert.match(
    (await program(site, {}, 'doctor')).stdout,
    /^ {2}owners {4}every file belongs to the user of the deploy$/m,
  );
  give('page');
  const { stdout, exitCode } = await program(site, {}, 'doctor');
  assert.equal(exitCode, 1);
  assert.match(stdout, /^! owners {4}1 files belong to another user, such as \S+\/page\.$/m);
});

test('what --dry-run prints makes a release that is served, with what is shared', async (t) => {
  const site = await buildSite(t, 'releases');
  site.push({ page: 'two', 'storage/app/.gitkeep': '' });
  site.write('.env', 'APP_KEY=secret');
  const { stdout } = await program(site, {}, 'deploy', '--dry-run');
  execFileSync('sh', ['-e'], { input: stdout, cwd: '/', env: site.environment, stdio: ['pipe', 'pipe', 'pipe'] });
  assert.deepEqual([site.read('page'), site.read('.env')], ['two', 'APP_KEY=secret']);
  assert.equal(site.read('bootstrap/cache/views/cached-page'), 'two');
  assert.ok(existsSync(join(site.app, 'storage/app/.gitkeep')), 'what is shared begins as the commit has it');
  assert.equal(realpathSync(join(live(site), 'storage')), join(site.app, 'storage'));
  assert.equal(existsSync(join(live(site), 'public')), false);
});

test('a folder of releases that lies in the checkout by another name is refused before anything is touched: exit 2', async (t) => {
  const site = await buildSite(t, 'releases');
  const byLink = join(site.folder, 'by-link');
  symlinkSync(site.app, byLink);
  const folders = [
    site.app,
    `${site.app}/`,
    join(site.app, '.git/x'),
    join(site.app, 'storage/rel'),
    join(byLink, 'new/rel'),
  ];
  for (const folder of folders) {
    const { exitCode } = await deploy(quietHost(), site.settings({}, { releases: { folder } }));
    assert.equal(exitCode, 2, folder);
    assert.match(tagged(site.log()).at(-1) ?? '', /deployment\.releases\.folder is \S+, which lies in the checkout/);
  }
  assert.deepEqual(readdirSync(site.app).sort(), ['.git', '.gitignore', 'page', 'status']);
});

test('status shows the release that visitors get also where the mode was forgotten, and says so: exit 1', async (t) => {
  const site = await buildSite(t, 'releases');
  const commit = site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  const { exitCode, stdout } = await holdfast(site, ['status']);
  assert.equal(exitCode, 1);
  assert.match(stdout, new RegExp(`^commit         ${commit}\nrelease        ${live(site)}$`, 'm'));
  assert.match(stdout, /^! Visitors of \S+ get the release \S+: use --mode releases, or remove \S+ first\.$/m);
});

test('a deploy under way in another mode is not reported as killed', async (t) => {
  const site = await buildSite(t, 'releases');
  site.push({ 'wait-config:cache': '60' });
  const { child, ended } = startHoldfast(site, ['deploy', '--mode', 'releases']);
  const calls = (): readonly string[] =>
    existsSync(join(site.app, 'releases'))
      ? readdirSync(join(site.app, 'releases'), { recursive: true, encoding: 'utf8' })
      : [];
  await until(() => calls().some((path) => path.endsWith('/calls')), 'the release is being prepared');
  const { exitCode, stdout } = await holdfast(site, ['status']);
  child.kill('SIGTERM');
  await ended;
  assert.equal(exitCode, 0, stdout);
  assert.doesNotMatch(stdout, /^!/m);
});
