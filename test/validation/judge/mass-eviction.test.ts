import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedDisruptions, mostDisruptions } from '../../../src/cluster/allowed-disruptions.ts';
import { massEvictions } from '../../../src/validation/judge/mass-eviction.ts';
import { type WatchedKind, watchedKinds } from '../../../src/validation/record/digest.ts';
import { at, change, claim, history, node, stamp } from '../../support/changes.ts';

const span = { from: at(0), to: at(100) };
const budget = change(-5, 'PodDisruptionBudget', 'nginx-pdb', { healthy: 2, desired: 1, allowed: 1 });
const slice = (seconds: number, ready: number) => change(seconds, 'EndpointSlice', 'slice', { ready, terminating: 0 });

test('percentages of a budget are rounded up, and the smallest budget counts', () => {
  assert.equal(allowedDisruptions(['10%'], 1), 1);
  assert.equal(allowedDisruptions(['10%'], 11), 2);
  assert.equal(allowedDisruptions(['10%', '1'], 30), 1);
  assert.equal(allowedDisruptions(['0'], 30), 0);
  assert.equal(allowedDisruptions([], 15), 2);
});

test('ready endpoints below the budget’s minAvailable are a mass eviction, except where the scenario expects it', () => {
  const changes = [budget, slice(-5, 2), slice(10, 0), slice(14, 1)];
  assert.deepEqual(massEvictions(history(changes), span, []), [
    '0 ready endpoints where the disruption budget wants 1',
  ]);
  assert.deepEqual(massEvictions(history(changes), span, [{ from: at(5), to: at(20) }]), []);
});

test('more nodes at once than the budget allows are a mass eviction', () => {
  const taken = (name: string) => [
    change(-5, 'NodeClaim', name, claim(name)),
    change(10, 'Node', `node-${name}`, node(name, { disrupted: true })),
  ];
  const pool = change(-5, 'NodePool', 'general-purpose-arm', { budgets: [{ nodes: '10%' }] });
  const sorted = [...taken('a'), ...taken('b')].sort((one, other) => one.at.localeCompare(other.at));
  assert.deepEqual(massEvictions(history([pool, ...sorted]), span, []), [
    '2 nodes disrupted at once where the budget allows 1',
  ]);
  assert.deepEqual(massEvictions(history([pool, ...taken('a')]), span, []), []);
});

test('losing endpoints is expected only within the window, not before or after it', () => {
  const changes = [budget, slice(-5, 2), slice(10, 0), slice(11, 1)];
  const within = (from: number, to: number) =>
    massEvictions(history(changes), span, [{ from: at(from), to: at(to) }]).length;
  assert.deepEqual([within(10, 10), within(11, 20), within(1, 9.9)], [0, 1, 1]);
});

test('one node at a time is no mass eviction, even if the budget allows none', () => {
  const pool = change(-5, 'NodePool', 'general-purpose-arm', { budgets: [{ nodes: '0' }] });
  const one = [change(-4, 'NodeClaim', 'a', claim('a')), change(10, 'Node', 'node-a', node('a', { disrupted: true }))];
  assert.deepEqual(massEvictions(history([pool, ...one]), span, []), []);
});

test('a budget that demands more pods after a scale up is no mass eviction; fewer ready endpoints are', () => {
  const wants = (seconds: number, desired: number) =>
    change(seconds, 'PodDisruptionBudget', 'nginx-pdb', { healthy: 2, desired, allowed: 0 });
  const scaled = (seconds: number, replicas: number) =>
    change(seconds, 'Deployment', 'nginx-test', { replicas, ready: 2 });
  const up = [scaled(-5, 2), wants(-5, 1), slice(-5, 2), scaled(10, 5), wants(10, 4), slice(30, 5)];
  assert.deepEqual(massEvictions(history(up), span, []), []);
  const down = [...up, scaled(50, 2), slice(51, 2), wants(52, 1)];
  assert.deepEqual(massEvictions(history(down), span, []), []);
  assert.deepEqual(massEvictions(history([...up, slice(50, 3)]), span, []), [
    '3 ready endpoints where the disruption budget wants 4',
  ]);
});

test('a budget with reasons limits only those; without a budget for a reason all nodes may be disrupted', () => {
  const drifts = { nodes: '1', reasons: ['Drifted'] } as const;
  assert.equal(mostDisruptions([drifts, { nodes: '50%' }], 4), 2);
  assert.equal(mostDisruptions([{ nodes: '10%' }, { nodes: '3', reasons: ['Empty'] }], 10), 1);
  const each = (['Drifted', 'Empty', 'Underutilized'] as const).map((reason) => ({ nodes: '2', reasons: [reason] }));
  assert.equal(mostDisruptions(each, 4), 2);
  assert.equal(mostDisruptions([drifts], 4), Number.POSITIVE_INFINITY);
  assert.equal(mostDisruptions([], 4), Number.POSITIVE_INFINITY);
});

test('the changes after a gap count only when all kinds are watched again', () => {
  const before = [budget, slice(-5, 2)];
  const gap = { kind: 'PodDisruptionBudget', from: at(8), to: at(20) } as const;
  const found = (...changes: Parameters<typeof history>[0]) =>
    massEvictions({ ...history([...before, ...changes]), gaps: [gap] }, span, []).length;
  assert.deepEqual([found(slice(10, 0)), found(slice(10, 0), slice(21, 1)), found(slice(21, 0))], [0, 0, 1]);
});

test('a gap of a kind that does not matter hides no mass eviction', () => {
  const changes = [budget, slice(-5, 2), slice(10, 0)];
  const found = (kind: WatchedKind) =>
    massEvictions({ ...history(changes), gaps: [{ kind, from: at(8), to: at(20) }] }, span, []).length;
  assert.deepEqual(
    watchedKinds.filter((kind) => found(kind) > 0),
    ['IngressPod'],
  );
});

test('claims that never became nodes, for want of capacity, are no mass eviction', () => {
  const pool = change(-5, 'NodePool', 'general-purpose-arm', { budgets: [{ nodes: '10%' }] });
  const refused = ({ node: _, initializedAt: __, ...rest }: ReturnType<typeof claim>) => rest;
  const claims = ['a', 'b', 'c'].map((uid) =>
    change(10, 'NodeClaim', uid, refused(claim(uid, { deletingAt: stamp(10) }))),
  );
  assert.deepEqual(massEvictions(history([pool, ...claims]), span, []), []);
});
