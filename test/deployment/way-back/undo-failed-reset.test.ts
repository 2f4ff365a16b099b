import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { locked } from '../support/attribute.ts';
import { holdfast } from '../support/holdfast.ts';
import { tagged } from '../support/log.ts';
import { buildSite, type Site } from '../support/site.ts';

const changes = (site: Site) => site.git(site.app, 'status', '--porcelain', '--untracked-files=no');

test('a reset that fails at an immutable file is undone, although git fails at that file again', async (t) => {
  const site = await buildSite(t);
  const before = site.push({ other: 'old' });
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0, site.log());
  const next = site.push({ page: 'two', other: 'new', added: 'new' });
  await locked(t, site, 'i', 'page', async () => {
    const { exitCode, stderr } = await holdfast(site, ['deploy']);
    assert.equal(exitCode, 1, stderr);
    assert.deepEqual(tagged(site.log()).slice(-2), ['[ERROR] Git reset failed', `[INFO] Put back to ${before}`]);
    assert.deepEqual([site.head(), site.read('page'), site.read('other')], [before, 'one', 'old']);
    assert.equal(site.read('added'), undefined);
    assert.equal(changes(site), '');
  });
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0, site.log());
  assert.deepEqual([site.head(), site.read('page')], [next, 'two']);
});

test('a reset that fails at a file that was edited and made immutable leaves the edit as it was', async (t) => {
  const site = await buildSite(t);
  const before = site.push({ other: 'old' });
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0, site.log());
  site.push({ page: 'two', other: 'new', added: 'new' });
  site.write('page', 'edited');
  await locked(t, site, 'i', 'page', async () => {
    const { exitCode, stderr } = await holdfast(site, ['deploy']);
    assert.equal(exitCode, 1, stderr);
    assert.equal(tagged(site.log()).at(-1), `[INFO] Put back to ${before}`);
    assert.deepEqual([site.head(), site.read('page'), site.read('other')], [before, 'edited', 'old']);
    assert.equal(changes(site).trim(), 'M page');
  });
});

for (const words of [['deploy'], ['doctor', '--repair']])
  test(`a failed reset whose undo failed too says what is on disk, exit 5, and ${words.join(' ')} repairs`, async (t) => {
    const site = await buildSite(t);
    const before = site.push({ 'locked/old': 'old', other: 'old' });
    assert.equal((await holdfast(site, ['deploy'])).exitCode, 0, site.log());
    const next = site.push({ 'locked/old': 'new', 'locked/added': 'new', other: 'new' });
    // Files can be made in this folder, and neither replaced nor removed.
    await locked(t, site, 'a', 'locked', async () => {
      const failed = await holdfast(site, ['deploy', '--json']);
      assert.equal(failed.exitCode, 5, failed.stderr);
      const last = `[ERROR] The rollback to ${before} failed: on disk this file differs from ${before}: locked/added`;
      assert.deepEqual(tagged(site.log()).slice(-2), ['[ERROR] Git reset failed', last]);
      const { state, because, failedStep } = JSON.parse(failed.stdout);
      const reason = "Git reset failed: unable to unlink old 'locked/old': Operation not permitted";
      const expected = { state: 'rollback-failed', because: reason, failedStep: 'reset' };
      assert.deepEqual({ state, because, failedStep }, expected);
      assert.match(failed.stderr, /To roll back by hand:\n\n.*\ngit reset --hard [0-9a-f]{40}\n/s);
      assert.deepEqual([site.head(), site.read('locked/added'), site.read('other')], [before, 'new', 'old']);
    });
    const { exitCode, stderr } = await holdfast(site, words);
    assert.equal(exitCode, 0, stderr);
    const [head, added] = words[0] === 'deploy' ? [next, 'new'] : [before, undefined];
    assert.deepEqual([site.head(), site.read('locked/added')], [head, added]);
    assert.equal(changes(site), '');
  });

/** Two verified commits of a site; the first one's id. */
async function twoCommits(
  t: TestContext,
): Promise<{ readonly site: Site; readonly first: string; readonly second: string }> {
  const site = await buildSite(t);
  const first = site.push({ 'locked/file': 'old', other: 'old', 'gone/now': 'old' });
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0, site.log());
  const second = site.push({ 'locked/file': 'new', other: 'new', 'gone/now': null });
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0, site.log());
  return { site, first, second };
}

test('a rollback by hand whose reset fails is undone: the commit stays live, and is not quarantined', async (t) => {
  const { site, first, second } = await twoCommits(t);
  await locked(t, site, 'i', 'locked/file', async () => {
    const { exitCode, stderr } = await holdfast(site, ['rollback']);
    assert.equal(exitCode, 1, stderr);
    assert.equal(tagged(site.log()).at(-1), `[INFO] Put back to ${second}`);
    assert.deepEqual([site.head(), site.read('other'), site.read('gone/now')], [second, 'new', undefined]);
    assert.equal(changes(site), '');
    assert.equal((await holdfast(site, ['deploy', '--if-changed'])).exitCode, 0, site.log());
  });
  assert.equal((await holdfast(site, ['rollback'])).exitCode, 0, site.log());
  assert.equal(site.head(), first);
});

for (const words of [
  ['deploy', '--if-changed'],
  ['doctor', '--repair'],
])
  test(`a rollback by hand that can neither be finished nor undone: exit 5, and ${words.join(' ')} puts it back`, async (t) => {
    const { site, second } = await twoCommits(t);
    // Files can be made in this folder, and neither replaced nor removed.
    mkdirSync(join(site.app, 'gone'));
    await locked(t, site, 'a', 'gone', async () => {
      const failed = await locked(t, site, 'i', 'locked/file', async () => {
        const { exitCode, stderr } = await holdfast(site, ['rollback']);
        assert.equal(exitCode, 5, stderr);
      });
      return failed;
    });
    assert.deepEqual([site.head(), site.read('gone/now')], [second, 'old']);
    const { exitCode, stderr } = await holdfast(site, words);
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual([site.head(), site.read('gone/now'), site.read('other')], [second, undefined, 'new']);
  });
