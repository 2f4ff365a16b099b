import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimDigest } from '../../src/validation/digest.ts';
import { replacements } from '../../src/validation/replacements.ts';
import { at, change, claim, stamp } from '../support/changes.ts';

const gone = (seconds: number, over: Partial<ClaimDigest> = {}) =>
  change(seconds, 'NodeClaim', `claim-${seconds}`, claim(`claim-${seconds}`, over), 'deleted');
const causeOf = (over: Partial<ClaimDigest>): string | undefined => replacements([gone(10, over)], [])[0]?.cause;

test('the cause of a replacement is what the claim says of itself', () => {
  assert.equal(causeOf({ disruptionReason: 'Drifted', drifted: 'AMIDrift' }), 'drift: AMIDrift');
  assert.equal(causeOf({ disruptionReason: 'Empty' }), 'consolidation: Empty');
  assert.equal(causeOf({ disruptionReason: 'Underutilized' }), 'consolidation: Underutilized');
});

test('without a reason and past its expireAfter a claim expired; expiry is computed from the claim', () => {
  const created = { createdAt: stamp(-7200) };
  assert.equal(causeOf({ ...created, expireAfter: '2h', deletingAt: stamp(5) }), 'expiration');
  assert.equal(causeOf({ ...created, expireAfter: '720h', deletingAt: stamp(5) }), 'unknown');
  assert.equal(causeOf({ ...created, expireAfter: 'Never', deletingAt: stamp(5) }), 'unknown');
});

test('a scenario that replaces one node owns the first that goes in its window, and no other', () => {
  const disturbances = [{ from: at(0), to: at(100), mayReplaceNodes: 1 }];
  const found = replacements([gone(10), gone(20), gone(200)], disturbances);
  assert.deepEqual(
    found.map(({ ours }) => ours),
    [true, false, false],
  );
});
