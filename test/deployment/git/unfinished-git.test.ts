import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { enterCheckout } from '../../../src/deployment/checkout/checkout.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { examine } from '../../../src/deployment/doctor.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/**
 * What a person does on the server: a commit of their own, and a branch beside it that changes the same line. The
 * present commit.
 */
function begin(site: Site, ...words: readonly string[]): string {
  const commit = (page: string) => {
    site.write('page', page);
    site.git(site.app, 'commit', '--quiet', '--all', '--message', page);
    return site.head();
  };
  site.git(site.app, 'checkout', '--quiet', '-b', 'beside');
  commit('beside');
  site.git(site.app, 'checkout', '--quiet', 'main');
  const own = commit('own');
  assert.throws(() => site.git(site.app, ...words), 'it ends with a conflict');
  assert.match(site.read('page') ?? '', /^<<<<<<< /);
  return own;
}

const merge = ['merge', 'beside'] as const;
const rebase = ['rebase', 'beside'] as const;

async function gitChecks(site: Site): Promise<readonly string[]> {
  const entered = await enterCheckout(quietHost(), site.settings());
  if (!('checkout' in entered)) assert.fail('no checkout');
  const checks = await examine(quietHost(), site.settings(), entered.checkout);
  return checks.filter(({ name, ok }) => name === 'git' && !ok).map(({ said }) => said);
}

for (const [what, words, mark] of [
  ['a merge', merge, 'MERGE_HEAD'],
  ['a rebase', rebase, 'rebase-merge'],
  ['a cherry-pick', ['cherry-pick', 'beside'], 'CHERRY_PICK_HEAD'],
] as const) {
  test(`${what} in progress is named by doctor, and repaired by --repair, which keeps the edits aside`, async (t) => {
    const site = await buildSite(t);
    assert.deepEqual(await gitChecks(site), []);
    const own = begin(site, ...words);
    assert.deepEqual(await gitChecks(site), [
      `In the checkout ${what} is in progress (.git/${mark}): the next deploy or rollback gives it up, and so does holdfast doctor --repair. Local edits are kept aside.`,
    ]);
    const document = await repairNow(quietHost(), site.settings());
    assert.equal(document.exitCode, 0, site.log());
    assert.deepEqual([site.head(), site.read('page')], [own, 'own']);
    assert.equal(site.git(site.app, 'status', '--porcelain'), '');
    assert.ok(!existsSync(join(site.app, '.git', mark)));
    assert.deepEqual(await gitChecks(site), []);
    const [kept = ''] = globSync(join(site.app, '.git/holdfast/runs/*/local-edits.patch'));
    assert.match(readFileSync(kept, 'utf8'), /<<<<<<< /);
    assert.match(site.log(), new RegExp(`^\\[INFO\\] Given up: ${what} that was in progress in the checkout$`, 'm'));
    assert.doesNotMatch(site.log(), /fatal:/);
  });

  test(`a deploy gives up ${what} in progress, and its log has no error of git`, async (t) => {
    const site = await buildSite(t);
    const commit = site.push({ page: 'two' });
    begin(site, ...words);
    const document = await deploy(quietHost(), site.settings());
    assert.equal(document.state, 'verified', site.log());
    assert.deepEqual([site.head(), site.read('page')], [commit, 'two']);
    assert.doesNotMatch(site.log(), /fatal:|error:/);
    assert.ok(!existsSync(join(site.app, '.git', mark)));
    assert.throws(() => site.git(site.app, words[0], '--abort'), 'nothing is left that an --abort could undo');
    assert.equal(site.head(), commit);
  });
}

test('what git had stashed for a rebase is still there after a deploy', async (t) => {
  const site = await buildSite(t);
  site.push({ other: 'x' });
  await deploy(quietHost(), site.settings());
  site.write('other', 'edited');
  site.git(site.app, 'config', 'rebase.autoStash', 'true');
  const edited = site.git(site.app, 'stash', 'create');
  site.git(site.app, 'stash', 'store', edited);
  site.git(site.app, 'checkout', '--quiet', '--', 'other');
  begin(site, ...rebase);
  writeFileSync(join(site.app, '.git/rebase-merge/autostash'), `${edited}\n`);
  site.git(site.app, 'stash', 'drop');
  site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.match(site.git(site.app, 'stash', 'show', '--patch'), /^\+edited$/m);
});

test('a conflict without any mark, as git stash pop leaves it, fills the log with no error of git', async (t) => {
  const site = await buildSite(t);
  site.write('page', 'stashed');
  site.git(site.app, 'stash', '--quiet');
  site.write('page', 'own');
  site.git(site.app, 'commit', '--quiet', '--all', '--message', 'own');
  assert.throws(() => site.git(site.app, 'stash', 'pop'));
  const commit = site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.equal(site.head(), commit);
  assert.doesNotMatch(site.log(), /fatal:|error:/);
});

test('the index.lock of a dead git is named by doctor as such, and removed by --repair', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  const lock = join(site.app, '.git/index.lock');
  writeFileSync(lock, '');
  assert.deepEqual(await gitChecks(site), [
    `${lock} exists: a git that was killed has left it, and no deploy can reset the files. holdfast doctor --repair removes it.`,
  ]);
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
  assert.ok(!existsSync(lock));
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, commit, site.log());
});

test('the mode releases leaves a merge in the folder of the checkout alone, which visitors do not get', async (t) => {
  const site = await buildSite(t, 'releases');
  site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  execFileSync('sh', ['-c', 'git rev-parse HEAD > .git/MERGE_HEAD'], { cwd: site.app });
  assert.deepEqual(await gitChecks(site), []);
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
});
