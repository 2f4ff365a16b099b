import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replacements } from '../../../src/validation/judge/replacements.ts';
import type { ClaimDigest } from '../../../src/validation/record/digest.ts';
import { at, change, claim, history, pod, stamp } from '../../support/changes.ts';

const gone = (seconds: number, over: Partial<ClaimDigest> = {}) =>
  change(seconds, 'NodeClaim', 'claim-a', claim('a', over), 'deleted');
const nothingOurs = { taken: [], mayRemoveEmptyNodes: [], scaled: [] };
const causeOf = (over: Partial<ClaimDigest>): string | undefined =>
  replacements(history([gone(10, over)]), nothingOurs)[0]?.cause;

test('the cause of a replacement comes from the claim’s conditions', () => {
  assert.equal(causeOf({ disruptionReason: 'Drifted', drifted: 'AMIDrift' }), 'drift: AMIDrift');
  assert.equal(causeOf({ disruptionReason: 'Empty' }), 'consolidation: Empty');
  assert.equal(causeOf({ disruptionReason: 'Underutilized' }), 'consolidation: Underutilized');
});

test('a claim without a reason and past its own expireAfter has expired', () => {
  const created = { createdAt: stamp(-7200) };
  assert.equal(causeOf({ ...created, expireAfter: '2h', deletingAt: stamp(5) }), 'expiration');
  assert.equal(causeOf({ ...created, expireAfter: '720h', deletingAt: stamp(5) }), 'unknown');
  assert.equal(causeOf({ ...created, expireAfter: 'Never', deletingAt: stamp(5) }), 'unknown');
});

test('a replacement that the run did not cause is not ours', () => {
  for (const over of [{}, { disruptionReason: 'Drifted' }, { disruptionReason: 'Empty' }])
    assert.equal(replacements(history([gone(10, over)]), nothingOurs)[0]?.ours, false);
});

const taken = (action: string, seconds = 1) => ({
  taken: [{ node: 'node-a', action, at: at(seconds) }],
  mayRemoveEmptyNodes: [],
  scaled: [],
});

test('a claim whose instance the run terminated is ours, whatever the autoscaler’s reason', () => {
  const [found] = replacements(history([gone(10)]), taken('terminate-instance'));
  assert.deepEqual([found?.ours, found?.cause], [true, 'this run ended its instance']);
});

test('a claim that the run marked or drained is ours if the autoscaler gave the matching reason', () => {
  const [found] = replacements(history([gone(10, { disruptionReason: 'Drifted' })]), taken('mark-drift'));
  assert.equal(found?.ours, true);
  assert.equal(replacements(history([gone(10)]), taken('drain-node'))[0]?.ours, false);
});

test('a disruption that began before the run’s action on the node is not ours', () => {
  const drifted = { disruptionReason: 'Drifted' };
  const changes = [change(5, 'NodeClaim', 'claim-a', claim('a', drifted)), gone(20, drifted)];
  assert.equal(replacements(history(changes), taken('mark-drift', 10))[0]?.ours, false);
});

test('an expiry is never ours, not even in the middle of a scenario', () => {
  const expired = { createdAt: stamp(-7200), expireAfter: '2h', deletingAt: stamp(5) };
  assert.equal(replacements(history([gone(10, expired)]), taken('drain-node'))[0]?.ours, false);
});

test('an empty node that is removed in a window for that is ours; one with a running pod is not', () => {
  const empty = gone(10, { disruptionReason: 'Empty' });
  const consolidating = { taken: [], mayRemoveEmptyNodes: [{ from: at(0), to: at(100) }], scaled: [] };
  assert.equal(replacements(history([empty]), consolidating)[0]?.ours, true);
  const busy = change(1, 'Pod', 'p', pod('p', { node: 'node-a' }));
  assert.equal(replacements(history([busy, empty]), consolidating)[0]?.ours, false);
  const leaving = change(2, 'Pod', 'p', pod('p', { node: 'node-a', deletingAt: stamp(30) }));
  assert.equal(replacements(history([busy, leaving, empty]), consolidating)[0]?.ours, true);
  const early = { taken: [], mayRemoveEmptyNodes: [{ from: at(50), to: at(100) }], scaled: [] };
  assert.equal(replacements(history([empty]), early)[0]?.ours, false);
});

test('an empty node that a scale of the run emptied is ours if it is removed after the owner’s consolidateAfter', () => {
  const empty = gone(50, { disruptionReason: 'Empty' });
  const came = change(1, 'Pod', 'p', pod('p', { node: 'node-a' }));
  const left = change(20, 'Pod', 'p', pod('p', { node: 'node-a', deletingAt: stamp(30) }));
  const pool = (consolidateAfter?: string) =>
    change(0, 'NodePool', 'pool', { budgets: [], ...(consolidateAfter === undefined ? {} : { consolidateAfter }) });
  const ours = (from: number, changes = [came, left, empty], to = 100) =>
    replacements(history([pool(), ...changes]), { ...nothingOurs, scaled: [{ from: at(from), to: at(to) }] })[0]?.ours;
  assert.equal(ours(19), true);
  assert.equal(
    replacements(history([pool(), came, left, empty]), nothingOurs)[0]?.ours,
    false,
    'not emptied by the run',
  );
  assert.equal(ours(21), false, 'it was empty before');
  assert.equal(ours(5, [came, left, empty], 19), false, 'the scenario was over');
  assert.equal(ours(19, [came, empty]), false, 'the pod was still running');
  assert.equal(ours(19, [came, left, gone(10, { disruptionReason: 'Empty' })]), false, 'the pod began to leave before');
  const elsewhere = change(20, 'Pod', 'q', pod('q', { node: 'node-b', deletingAt: stamp(30) }));
  assert.equal(ours(19, [elsewhere, empty]), false, 'another node');
  const going = change(10, 'NodeClaim', 'claim-a', claim('a', { disruptionReason: 'Empty', deletingAt: stamp(10) }));
  assert.equal(ours(5, [going, left, empty]), false, 'a pod that left later emptied nothing');
  const deleted = change(40, 'Pod', 'p', pod('p', { node: 'node-a' }), 'deleted');
  assert.equal(ours(19, [came, deleted, empty]), true);
  const underutilized = gone(50, { disruptionReason: 'Underutilized' });
  assert.equal(ours(19, [came, left, underutilized]), false);
  for (const [after, expected] of [
    ['30s', true],
    ['31s', false],
    ['Never', false],
  ] as const)
    assert.equal(ours(19, [pool(after), came, left, empty]), expected, `the pool says ${after}`);
});

test('a claim that is still being deleted at the end counts as gone since its deletion began', () => {
  const leaving = change(10, 'NodeClaim', 'claim-a', claim('a', { disruptionReason: 'Empty', deletingAt: stamp(10) }));
  const [found, ...more] = replacements(history([leaving]), nothingOurs);
  assert.deepEqual([found?.nodeClaim, found?.cause, found?.at], ['claim-a', 'consolidation: Empty', leaving.at]);
  assert.deepEqual(more, []);
  assert.deepEqual(replacements(history([change(10, 'NodeClaim', 'claim-a', claim('a'))]), nothingOurs), []);
  const end = change(30, 'NodeClaim', 'claim-a', leaving.digest as ClaimDigest, 'deleted');
  assert.equal(replacements(history([leaving, end]), nothingOurs).length, 1, 'and once when it is gone');
});

const oursAfter = (action: string, over: Partial<ClaimDigest>): boolean | undefined =>
  replacements(history([gone(10, over)]), taken(action))[0]?.ours;

test('mark-drift explains only drift, and drain-node only an empty or underutilized node', () => {
  assert.equal(oursAfter('mark-drift', { disruptionReason: 'Drifted' }), true);
  assert.equal(oursAfter('drain-node', { disruptionReason: 'Drifted' }), false);
  assert.equal(oursAfter('drain-node', { disruptionReason: 'Empty' }), true);
  assert.equal(oursAfter('drain-node', { disruptionReason: 'Underutilized' }), true);
  assert.equal(oursAfter('mark-drift', { disruptionReason: 'Empty' }), false);
});

test('an action on another node, or a later one, explains no replacement', () => {
  const other = {
    taken: [{ node: 'node-b', action: 'terminate-instance', at: at(1) }],
    mayRemoveEmptyNodes: [],
    scaled: [],
  };
  assert.equal(replacements(history([gone(10)]), other)[0]?.ours, false);
  const deleting = change(5, 'NodeClaim', 'claim-a', claim('a', { deletingAt: stamp(5) }));
  const late = taken('terminate-instance', 8);
  assert.equal(replacements(history([deleting, gone(20)]), late)[0]?.ours, false);
  const earlier = change(5, 'NodeClaim', 'claim-b', claim('b', { disruptionReason: 'Empty' }));
  assert.equal(replacements(history([earlier, gone(20)]), late)[0]?.ours, true, 'another claim began sooner');
});

test('only an empty node is ours in its window, and only if the disruption begins before the window ends', () => {
  const window = { taken: [], mayRemoveEmptyNodes: [{ from: at(0), to: at(9) }], scaled: [] };
  assert.equal(replacements(history([gone(9, { disruptionReason: 'Empty' })]), window)[0]?.ours, true);
  assert.equal(replacements(history([gone(10, { disruptionReason: 'Empty' })]), window)[0]?.ours, false);
  assert.equal(replacements(history([gone(9, { disruptionReason: 'Underutilized' })]), window)[0]?.ours, false);
});

test('a reason alone is no replacement, because the autoscaler can take it back', () => {
  const chosen = change(10, 'NodeClaim', 'claim-a', claim('a', { disruptionReason: 'Empty' }));
  assert.deepEqual(replacements(history([chosen]), nothingOurs), []);
});

test('whether a claim has expired is decided at the start of its deletion, not at the end of its drain', () => {
  const over = { createdAt: stamp(-7200), expireAfter: '7210s', deletingAt: stamp(5) };
  assert.equal(replacements(history([gone(100, over)]), nothingOurs)[0]?.cause, 'unknown');
});

test('a claim that never became a node, for want of capacity, is no replacement', () => {
  const { node: _, initializedAt: __, ...refused } = claim('a', { deletingAt: stamp(9) });
  assert.deepEqual(replacements(history([change(10, 'NodeClaim', 'claim-a', refused, 'deleted')]), nothingOurs), []);
  assert.deepEqual(replacements(history([change(10, 'NodeClaim', 'claim-a', refused)]), nothingOurs), []);
});

test('a node whose only pod has finished is empty', () => {
  const empty = gone(10, { disruptionReason: 'Empty' });
  const evicted = change(1, 'Pod', 'p', pod('p', { node: 'node-a', ready: false, finished: true }));
  const consolidating = { taken: [], mayRemoveEmptyNodes: [{ from: at(0), to: at(100) }], scaled: [] };
  assert.equal(replacements(history([evicted, empty]), consolidating)[0]?.ours, true);
});

test('what the policy of an owner’s pool consolidates is no surprise; an expiry of its nodes is one', () => {
  const owners = { ...nothingOurs, isOwnersPool: true };
  for (const disruptionReason of ['Empty', 'Underutilized'])
    assert.equal(replacements(history([gone(10, { disruptionReason })]), owners)[0]?.ours, true);
  const expired = { createdAt: stamp(-7200), expireAfter: '2h', deletingAt: stamp(5) };
  assert.equal(replacements(history([gone(10, expired)]), owners)[0]?.ours, false);
});
