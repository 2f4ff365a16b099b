import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { mortalHost } from '../support/mortal-host.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/** What git is set to for each file, and its text. */
const paths = ['same.assumed', 'same.skipped', 'other.assumed', 'other.skipped'] as const;
const now = (site: Site) =>
  paths.map((path) => `${site.git(site.app, 'ls-files', '-v', path).slice(0, 1)} ${site.read(path)}`);
const asEdited = ['h ours', 'S ours', 'h ours', 'S ours'];

/**
 * A verified commit with four files that were edited on the server, behind git's back; the next commit changes two of
 * them.
 */
async function editedSite(t: TestContext): Promise<Site> {
  const site = await buildSite(t);
  site.push(Object.fromEntries(paths.map((path) => [path, 'one'])));
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  site.git(site.app, 'update-index', '--assume-unchanged', 'same.assumed', 'other.assumed');
  site.git(site.app, 'update-index', '--skip-worktree', 'same.skipped', 'other.skipped');
  for (const path of paths) site.write(path, 'ours');
  return site;
}

const next = { page: 'two', 'other.assumed': 'two', 'other.skipped': 'two' };

test('an edit that git was told not to see stays where the commit leaves its file alone, and is kept where it changes it', async (t) => {
  const site = await editedSite(t);
  site.push(next);
  const { state, id } = await deploy(quietHost(), site.settings());
  assert.equal(state, 'verified', site.log());
  assert.deepEqual(now(site), ['h ours', 'S ours', 'h two', 'S two']);
  for (const path of paths) assert.equal(site.read(`.git/holdfast/runs/${id}/hidden-edits/${path}`), 'ours');
  assert.match(site.log(), /^ {2}other\.assumed: the new commit changes it, and replaces this edit\n/m);
  assert.match(site.log(), /^ {2}same\.assumed: stays as it is\n/m);
  assert.equal((await rollback(quietHost(), site.settings())).state, 'verified', site.log());
  assert.deepEqual(now(site).slice(0, 2), asEdited.slice(0, 2));
});

test('after the way back from a broken commit all such edits are there, and git has the same flags for them', async (t) => {
  const site = await editedSite(t);
  site.push({ ...next, status: '500' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'rolled-back', site.log());
  assert.deepEqual(now(site), asEdited);
});

test('with localEdits: refuse such an edit stops a commit that changes its file, and no other', async (t) => {
  const site = await editedSite(t);
  const settings = site.settings({ clean: true }, { localEdits: 'refuse' });
  site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
  assert.deepEqual(now(site), asEdited);
  site.push(next);
  assert.equal((await deploy(quietHost(), settings)).exitCode, 1);
  assert.match(site.log(), /it would throw away 2 files \(other\.assumed, other\.skipped\)/);
  assert.deepEqual(now(site), asEdited);
});

test('a deploy that is killed loses no such edit', async (t) => {
  const site = await editedSite(t);
  site.push({ ...next, status: '500' });
  const counted = await mortalHost();
  await deploy(counted.host, site.settings());
  await counted.bury();
  assert.deepEqual(now(site), asEdited, site.log());
  for (let moment = 100; moment < counted.moments(); moment += 170) {
    const mortal = await mortalHost(moment, true);
    await Promise.race([deploy(mortal.host, site.settings({ again: true })), mortal.death]);
    await mortal.bury();
    await repairNow(quietHost(), site.settings());
    assert.deepEqual(now(site), asEdited, `killed at ${moment}\n${site.log()}`);
  }
});

test('releases: such edits are in the new release where its commit leaves their files alone, and git has the same flags there', async (t) => {
  const site = await buildSite(t, 'releases');
  const settings = site.settings({ mode: 'releases' });
  site.push({ ...Object.fromEntries(paths.map((path) => [path, 'one'])), 'storage/seen': 'one' });
  // The first release comes from the checkout itself.
  site.git(site.app, 'pull', '--quiet', 'origin', 'main');
  site.git(site.app, 'update-index', '--assume-unchanged', 'same.assumed', 'other.assumed');
  site.git(site.app, 'update-index', '--skip-worktree', 'same.skipped', 'other.skipped');
  for (const path of paths) site.write(path, 'ours');
  const live = join(site.app, 'current');
  const inLive = () => paths.map((path) => `${site.git(live, 'ls-files', '-v', path).slice(0, 1)} ${site.read(path)}`);
  for (const [files, expected] of [
    [{ page: 'two' }, asEdited],
    [next, ['h ours', 'S ours', 'H two', 'H two']],
    [{ page: 'three' }, ['h ours', 'S ours', 'H two', 'H two']],
  ] as const) {
    site.push(files);
    const { state } = await deploy(quietHost(), settings);
    assert.equal(state, 'verified', site.log());
    assert.deepEqual(inLive(), expected);
    assert.equal(site.git(live, 'status', '--porcelain', '--untracked-files=no'), '');
  }
  writeFileSync(join(live, 'same.assumed'), 'ours again');
  site.push({ 'same.assumed': 'three' });
  const refused = await deploy(quietHost(), site.settings({ mode: 'releases' }, { localEdits: 'refuse' }));
  assert.match(String(refused.because), /it would throw away 1 files \(same\.assumed\)/);
});
