import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeClaim, NodePool } from '../../../src/cluster/autoscaler.ts';
import type { Resource } from '../../../src/cluster/kinds.ts';
import type { Taint } from '../../../src/cluster/resources.ts';
import { remainingDisruptions } from '../../../src/rehearsal/autoscaler/budgets.ts';
import { drift, emptiness } from '../../../src/rehearsal/autoscaler/commands.ts';
import { isWithin, roomOf } from '../../../src/rehearsal/autoscaler/limits.ts';
import { disruptedTaint } from '../../../src/rehearsal/autoscaler/well-known.ts';
import { instanceType } from '../../../src/rehearsal/machines/instance-types.ts';
import { healthy } from '../../../src/rehearsal/setup/setup.ts';
import { cacheOf } from '../support/cache-of.ts';
import * as objects from '../support/objects.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const name = objects.nodePool.metadata.name;
const withBudgets = (nodes: string): NodePool => ({
  ...objects.nodePool,
  spec: { ...objects.nodePool.spec, disruption: { budgets: [{ nodes }], consolidateAfter: '0s' } },
});

interface Over {
  readonly conditions?: readonly string[];
  readonly driftedAt?: string;
  readonly isReady?: boolean;
  readonly taints?: readonly Taint[];
  readonly isDeleted?: boolean;
}

/** A claim of the pool with its node. */
function member(id: string, over: Over = {}): readonly Resource[] {
  const { conditions = ['Initialized', 'Consolidatable'], isReady = true, taints = [], isDeleted = false } = over;
  const { requirements, nodeClassRef } = objects.nodePool.spec.template.spec;
  const drifted =
    over.driftedAt === undefined ? [] : [{ type: 'Drifted', status: 'True', lastTransitionTime: over.driftedAt }];
  const claim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: id,
      uid: id,
      labels: { 'karpenter.sh/nodepool': name },
      ...(isDeleted && { deletionTimestamp: '2026-01-01T00:59:00Z' }),
    },
    spec: { requirements, nodeClassRef },
    status: {
      nodeName: `node-${id}`,
      capacity: { cpu: '2', memory: '16Gi' },
      conditions: [...conditions.map((type) => ({ type, status: 'True' })), ...drifted],
    },
  } as NodeClaim;
  return [claim, objects.node(`node-${id}`, { ready: isReady, spec: { taints } })];
}

const others = (count: number) => Array.from({ length: count }, (_, index) => member(`c${index}`)).flat();
const remaining = (budget: string, ...members: readonly Resource[]) =>
  remainingDisruptions(withBudgets(budget), 'Drifted', cacheOf([withBudgets(budget), ...members]), now);

test('what counts in a budget: initialized nodes whose instances are not going already', () => {
  assert.equal(remaining('10%', ...others(10)), 1);
  assert.equal(remaining('10%', ...others(11)), 2);
  assert.equal(remaining('10%', ...others(10), ...member('new', { conditions: ['Launched'] })), 1);
  assert.equal(
    remaining('10%', ...others(10), ...member('x', { conditions: ['Initialized', 'InstanceTerminating'] })),
    1,
  );
});

test('what consumes a budget: nodes that are not Ready, tainted, or deleted, and not those whose instances are going', () => {
  assert.equal(remaining('1', ...others(3)), 1);
  assert.equal(remaining('1', ...others(3), ...member('x', { isReady: false })), 0);
  assert.equal(remaining('1', ...others(3), ...member('x', { taints: [disruptedTaint] })), 0);
  assert.equal(remaining('1', ...others(3), ...member('x', { isDeleted: true })), 0);
  const terminating = { conditions: ['Initialized', 'InstanceTerminating'], isDeleted: true, isReady: false };
  assert.equal(remaining('1', ...others(3), ...member('x', terminating)), 1, 'a second node may go now');
  assert.equal(remaining('0', ...others(3), ...member('x', { isReady: false })), 0, 'never less than none');
});

const situation = (members: readonly Resource[]) => ({
  cache: cacheOf([withBudgets('100%'), ...members]),
  now,
  zones: ['us-east-1a'],
  habits: healthy.autoscaler,
});
const chosen = (members: readonly Resource[], method = drift) =>
  method(situation(members))?.candidates.map(({ claim }) => claim.metadata.name);

test('drift takes one node at a time: empty ones first, then who drifted first', () => {
  const first = member('first', { driftedAt: '2026-01-01T00:10:00Z' });
  const second = member('second', { driftedAt: '2026-01-01T00:20:00Z' });
  const pods = ['first', 'second'].map((id) => objects.pod(`on-${id}`, { nodeName: `node-${id}` }, { ready: true }));
  assert.deepEqual(chosen([...second, ...first]), ['first']);
  assert.deepEqual(chosen([...second, ...first, ...pods]), ['first']);
  assert.deepEqual(chosen([...second, ...first, ...pods.slice(0, 1)]), ['second'], 'it is empty');
  assert.equal(chosen(others(2)), undefined);
});

test('emptiness takes as many as the budget lets go, and none that has a pod of its own', () => {
  const cache = (budget: string) =>
    cacheOf([withBudgets(budget), ...others(4), objects.pod('p', { nodeName: 'node-c1' }, { ready: true })]);
  const went = (budget: string) =>
    emptiness({ ...situation([]), cache: cache(budget) })?.candidates.map(({ claim }) => claim.metadata.name);
  assert.deepEqual(went('100%'), ['c0', 'c2', 'c3']);
  assert.deepEqual(went('2'), ['c0', 'c2']);
  assert.equal(went('0'), undefined);
});

test('limits are of what the pool’s nodes have, and a pool without limits has none', () => {
  const limited = { ...objects.nodePool, spec: { ...objects.nodePool.spec, limits: { cpu: '6', nodes: '5' } } };
  const room = roomOf(limited, cacheOf(others(2)));
  assert.deepEqual(room, { cpu: 2, nodes: 3 });
  const fits = (type: string) => isWithin(room, instanceType(type) ?? assert.fail());
  assert.deepEqual([fits('r8g.large'), fits('r8g.xlarge')], [true, false]);
  assert.ok(isWithin(roomOf(objects.nodePool, cacheOf(others(99))), instanceType('r8g.4xlarge') ?? assert.fail()));
});
