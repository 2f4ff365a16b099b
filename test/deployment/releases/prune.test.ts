import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { releasesToRemove } from '../../../src/deployment/releases/prune.ts';
import { freeName, type Release, type ReleaseState } from '../../../src/deployment/releases/release.ts';
import { newestFirst } from '../../../src/deployment/releases/release-of.ts';
import { isStale } from '../../../src/deployment/releases/stale-release.ts';

/** Oldest first; each is named after its place. */
function releases(...states: readonly (readonly [ReleaseState, string])[]): readonly Release[] {
  return states.map(([state, commit], index) => {
    const name = String(index);
    return { name, directory: `/releases/${name}`, commit, madeAt: index, state };
  });
}
const none: ReadonlySet<string> = new Set();
const names = (all: readonly Release[]): string => all.map(({ name }) => name).join('');

test('the newest good releases are kept, and unfinished ones are removed', () => {
  const all = releases(['good', 'a'], ['good', 'b'], ['making', 'c'], ['good', 'd'], ['leaving', 'e']);
  assert.equal(names(releasesToRemove(all, { live: '3', lastVerified: 'd', quarantined: none, keep: 2 })), '024');
  assert.equal(names(releasesToRemove(all, { live: '3', lastVerified: 'd', quarantined: none, keep: 5 })), '24');
});

test('of releases that were never verified only the newest is kept, and no good one is removed for it', () => {
  const all = releases(['good', 'a'], ['good', 'b'], ['ready', 'c'], ['ready', 'd'], ['ready', 'e']);
  assert.equal(names(releasesToRemove(all, { live: '1', lastVerified: 'b', quarantined: none, keep: 2 })), '23');
});

test('neither the live release nor the one that was verified last is ever removed', () => {
  const all = releases(['good', 'a'], ['ready', 'b'], ['good', 'c'], ['good', 'd'], ['ready', 'e']);
  assert.equal(names(releasesToRemove(all, { live: '1', lastVerified: 'a', quarantined: none, keep: 1 })), '2');
});

test('the good releases that were live last are kept, whenever they were made', () => {
  const made = releases(['good', 'a'], ['good', 'b'], ['good', 'c'], ['good', 'd']);
  const all = made.map((release) => (release.name === '0' ? { ...release, provedAt: 2.5 } : release));
  assert.equal(names(releasesToRemove(all, { live: '3', lastVerified: 'd', quarantined: none, keep: 3 })), '1');
});

test('a release of a quarantined commit is removed before one that a rollback may go to', () => {
  const all = releases(['good', 'a'], ['good', 'b'], ['good', 'c']);
  const stays = { live: '2', lastVerified: 'c', quarantined: new Set(['b']) };
  assert.equal(names(releasesToRemove(all, { ...stays, keep: 2 })), '1');
  assert.equal(names(releasesToRemove(all, { ...stays, keep: 3 })), '');
});

const state = fc.constantFrom<ReleaseState>('making', 'ready', 'good', 'leaving');
const anyReleases = fc
  .array(fc.tuple(state, fc.constantFrom('a', 'b', 'c')), { maxLength: 12 })
  .map((each) => releases(...each));

test('of any releases the live one is kept, and as many good ones as the settings say', () => {
  fc.assert(
    fc.property(anyReleases, fc.nat(11), fc.integer({ min: 1, max: 6 }), (all, live, keep) => {
      const gone = new Set(releasesToRemove(all, { live: String(live), lastVerified: 'a', quarantined: none, keep }));
      assert.ok(![...gone].some(({ name }) => name === String(live)));
      const good = all.filter((release) => release.state === 'good');
      for (const release of good.slice(-keep)) assert.ok(!gone.has(release));
      const verified = good.findLast(({ commit }) => commit === 'a');
      assert.ok(verified === undefined || !gone.has(verified));
      for (const release of all) {
        const isUnfinished = release.state === 'making' || release.state === 'leaving';
        if (isUnfinished && release.name !== String(live)) assert.ok(gone.has(release));
      }
    }),
  );
});

test('a commit goes live again from its newest good release, and never from an unfinished one', () => {
  const all = releases(['good', 'a'], ['good', 'a'], ['ready', 'a'], ['making', 'a'], ['leaving', 'a'], ['good', 'b']);
  assert.equal(names(newestFirst(all, 'a')), '102');
  assert.equal(names(newestFirst(all, 'c')), '');
});

test('two releases of one run and one commit have two names', () => {
  const first = freeName('run', '0123456789', []);
  const taken = releases(['good', 'a']).map((release) => ({ ...release, name: first }));
  assert.equal(first, 'run-0123456');
  assert.notEqual(freeName('run', '0123456789', taken), first);
  assert.equal(freeName('run', '1123456789', taken), 'run-1123456');
});

test('a php-fpm with compiled files of the old release and none of the new one still runs the old one', () => {
  const has = (cached: number, full = false) => [{ cached, full }];
  assert.equal(isStale(has(9), has(0)), true);
  assert.equal(isStale(has(9), has(1)), false);
  assert.equal(isStale(has(0), has(0)), false, 'it does not serve this site, or nobody has asked it');
  assert.equal(isStale(has(9), has(0, true)), false, 'it has no room for what is new');
  assert.equal(isStale([], []), false);
});
