import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { giveDefaultAcl, hasAcl } from '../support/acl.ts';
import { assertFoldersStand, foldersIn } from '../support/folders.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/** A verified commit with these files; its folders have modes, groups and ACLs of their own. */
async function siteWith(t: TestContext, files: Readonly<Record<string, string>>): Promise<Site> {
  const site = await buildSite(t);
  site.push(files);
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  return site;
}

/** Gives a folder a group, the set-group-ID bit and a default ACL, where this user may. */
function furnish(site: Site, path: string): void {
  const folder = join(site.app, path);
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() === 0) chownSync(folder, 0, 33);
  giveDefaultAcl(folder, 'user::rwx,user:33:rwx,group::r-x,mask::rwx,other::---', 0o2750);
  chmodSync(folder, 0o2750);
}

/** A broken commit: its files replace what the developer has at their paths, folders too. */
async function rolledBack(site: Site, files: Readonly<Record<string, string | null>>): Promise<void> {
  const before = foldersIn(site.app);
  for (const path of Object.keys(files)) rmSync(join(site.developer, path), { recursive: true, force: true });
  const added = Object.entries(files).filter(([, text]) => text !== null);
  site.push({ ...Object.fromEntries(added), status: '500' });
  const { exitCode } = await deploy(quietHost(), site.settings());
  assert.equal(exitCode, 3, site.log());
  assertFoldersStand(site.app, before, site.log());
}

test('after the way back each folder above a file that was in the way has its mode, owner, group and ACL', async (t) => {
  const site = await siteWith(t, { 'public/index': 'one' });
  chmodSync(site.app, 0o751);
  furnish(site, 'public/media');
  site.write('public/media/upload', 'ours');
  chmodSync(join(site.app, 'public/media/upload'), 0o604);
  await rolledBack(site, { 'public/media/upload': 'theirs' });
  assert.equal(site.read('public/media/upload'), 'ours');
  assert.equal(statSync(join(site.app, 'public/media/upload')).mode & 0o777, 0o604);
});

test('a tracked folder that a commit made a file has its mode, owner, group and ACL again, and so have those in it', async (t) => {
  const site = await siteWith(t, { 'uploads/kept': 'one', 'uploads/deep/kept': 'one' });
  furnish(site, 'uploads');
  furnish(site, 'uploads/deep');
  site.write('uploads/deep/own', 'ours');
  await rolledBack(site, { uploads: 'a file now' });
  assert.deepEqual(['uploads/kept', 'uploads/deep/own'].map(site.read), ['one', 'ours']);
  // What git wrote there again inherits from them.
  assert.ok(hasAcl(join(site.app, 'uploads/kept')) && hasAcl(join(site.app, 'uploads/deep/kept')));
});

test('a folder whose files are all others in the new commit stays the same folder, and one that has none is removed', async (t) => {
  const site = await siteWith(t, { 'assets/app.1.css': 'one', 'old/deep/file': 'one' });
  furnish(site, 'assets');
  const before = foldersIn(site.app);
  rmSync(join(site.developer, 'assets/app.1.css'));
  rmSync(join(site.developer, 'old'), { recursive: true });
  site.push({ 'assets/app.2.css': 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assertFoldersStand(site.app, before, site.log(), ['old', 'old/deep']);
  assert.deepEqual([existsSync(join(site.app, 'old')), readdirSync(join(site.app, 'assets'))], [false, ['app.2.css']]);
});

test('a folder that the commit empties stands again after the way back, with its mode and ACL', async (t) => {
  const site = await siteWith(t, { 'storage/views/.keep': '', 'storage/other': 'one' });
  furnish(site, 'storage/views');
  await rolledBack(site, { 'storage/views': null });
});

test('an empty folder stands after the way back from a commit that had a file in it', async (t) => {
  const site = await siteWith(t, { page: 'one' });
  furnish(site, 'uploads');
  await rolledBack(site, { 'uploads/2026/.keep': '' });
});

test('the folders in a submodule keep their modes, groups and ACLs, also those that its new commit empties or replaces', async (t) => {
  const site = await buildSite(t);
  const { folder, developer, git } = site;
  const library = join(folder, 'library');
  const commit = (script: string): void => {
    execFileSync('sh', ['-ec', script], { cwd: library });
    git(library, 'add', '.');
    git(library, 'commit', '--quiet', '--message', 'a change');
  };
  git(folder, 'init', '--quiet', library);
  commit('mkdir -p emptied/deep replaced leaving; touch emptied/deep/one emptied/one replaced/one leaving/one');
  const local = ['-c', 'protocol.file.allow=always'] as const;
  git(developer, ...local, 'submodule', '--quiet', 'add', library, 'lib');
  site.push({});
  const environment = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' };
  const settings = site.settings({}, { environment });
  assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
  const furnished = ['emptied', 'emptied/deep', 'replaced'].map((path) => `lib/${path}`);
  for (const path of furnished) furnish(site, path);
  const before = foldersIn(site.app);
  commit('git rm -qr emptied replaced leaving; mkdir -p emptied/deep; touch emptied/deep/two; echo file >replaced');
  git(join(developer, 'lib'), ...local, 'pull', '--quiet');
  site.push({ status: '500' });
  assert.equal((await deploy(quietHost(), settings)).exitCode, 3, site.log());
  assertFoldersStand(site.app, before, site.log());
  assert.deepEqual(readdirSync(join(site.app, 'lib/replaced')), ['one']);
  assert.ok(hasAcl(join(site.app, 'lib/replaced/one')), 'what git wrote there again inherits from the folder');
  site.push({ status: '200' });
  assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
  assertFoldersStand(site.app, before, site.log(), ['lib/replaced', 'lib/leaving']);
  assert.deepEqual(readdirSync(join(site.app, 'lib/emptied/deep')), ['two']);
  assert.deepEqual([existsSync(join(site.app, 'lib/leaving')), site.read('lib/replaced')], [false, 'file\n']);

  // What git ignores in the submodule is in the way of its next commit.
  site.write('.git/modules/lib/info/exclude', 'cache\n');
  site.write('lib/cache', 'made on the server');
  commit('echo theirs >cache');
  git(join(developer, 'lib'), ...local, 'pull', '--quiet');
  site.push({ status: '500' });
  assert.equal((await deploy(quietHost(), settings)).exitCode, 3, site.log());
  assert.equal(site.read('lib/cache'), 'made on the server');
  renameSync(library, `${library}-away`);
  git(join(developer, 'lib'), 'commit', '--quiet', '--allow-empty', '--message', 'nowhere');
  site.push({ status: '200' });
  const head = site.head();
  const refused = await deploy(quietHost(), settings);
  assert.deepEqual([refused.exitCode, refused.state, site.head()], [1, 'aborted', head], site.log());
  assert.match(
    refused.because ?? '',
    /^Fetching commit \w{40} of the submodule lib: .*library' does not appear to be a git/,
  );
  renameSync(`${library}-away`, library);
  git(join(developer, 'lib'), 'push', '--quiet', library, 'HEAD:refs/heads/other');
  assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
});
