import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { application, outcomes, pool, settings, words } from '../../support/measured.ts';
import { before, claimOf, nodePool, podOn, poolNode } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const claims = ['a', 'b', 'c'].map((node) => claimOf(node));
const healthy = before({ claims, pool: nodePool(), poolPods: before().pods });
const tenant = (node: string) => podOn(node, { name: `tenant-${node}`, labels: { app: 'other' } });

test('consolidateAfter is set to 2m first, then the application is scaled to one replica', () => {
  const plan = consolidation.plan(healthy, settings);
  assert.ok('actions' in plan);
  assert.deepEqual(plan.actions, [
    { action: 'set-consolidate-after', target: { nodePool: 'general-purpose-arm', value: '2m' } },
    { action: 'scale', target: { namespace: 'default', name: 'nginx-test', replicas: 1 } },
  ]);
});

test('a pool of its owner whose policy also consolidates nodes with pods is left alone', () => {
  const { spec, ...rest } = nodePool();
  const planned = (
    consolidationPolicy: 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | undefined,
    manifests: 'none' | 'hardened',
  ) => {
    const { consolidationPolicy: _, ...disruption } = spec.disruption ?? {};
    const over = consolidationPolicy === undefined ? disruption : { ...disruption, consolidationPolicy };
    return consolidation.plan(
      { ...healthy, pool: { ...rest, spec: { ...spec, disruption: over } } },
      { ...settings, manifests },
    );
  };
  for (const policy of ['WhenEmptyOrUnderutilized', undefined] as const) {
    const plan = planned(policy, 'none');
    assert.match('inconclusive' in plan ? plan.inconclusive : '', /is WhenEmptyOrUnderutilized: .* not empty/);
    assert.ok('actions' in planned(policy, 'hardened'));
  }
  assert.ok('actions' in planned('WhenEmpty', 'none'));
});

test('the pods that keep a node from being empty are named', () => {
  const plan = consolidation.plan({ ...healthy, poolPods: [...healthy.poolPods, tenant('b')] }, settings);
  assert.ok('actions' in plan);
  assert.match(JSON.stringify(plan.notes), /who else is on b.*default\/tenant-b/);
});

test('if other pods run on every node but one, no node would be empty', () => {
  const plan = consolidation.plan({ ...healthy, poolPods: [...healthy.poolPods, tenant('b'), tenant('c')] }, settings);
  assert.match(JSON.stringify(plan), /b is held by default\/tenant-b; c is held by default\/tenant-c/);
  const single = before({ nodes: [poolNode('a')], claims: [claimOf('a')], pool: nodePool() });
  assert.ok('inconclusive' in consolidation.plan(single, settings));
});

test('pods of a DaemonSet and finished pods do not occupy a node', () => {
  const daemon = podOn('b', { name: 'proxy', owner: 'DaemonSet' });
  const finished = podOn('c', { name: 'job', owner: 'Job', status: { phase: 'Succeeded' } });
  const plan = consolidation.plan({ ...healthy, poolPods: [...healthy.poolPods, daemon, finished] }, settings);
  assert.ok('actions' in plan);
  assert.equal(plan.notes?.length, 1);
});

test('with a used-up budget no empty node is removed', () => {
  const notReady = { ...poolNode('c'), status: { conditions: [] } };
  const plan = consolidation.plan({ ...healthy, nodes: [poolNode('a'), poolNode('b'), notReady] }, settings);
  assert.match(JSON.stringify(plan), /used up by nodes that are not ready/);
});

test('it is settled when the node that it emptied is gone, by name, and no other is being deleted', () => {
  const rest = { workload: deployment(1), pods: [podOn('a')], slices: [slice] };
  const settled = (left: typeof claims) => consolidation.settled({ ...healthy, ...rest, claims: left }, healthy);
  assert.equal(settled(claims), false);
  assert.equal(settled([claimOf('a'), claimOf('b')]), false, 'c was empty before, and b was emptied');
  assert.equal(settled([claimOf('a'), claimOf('c')]), true);
  assert.equal(settled([claimOf('a'), claimOf('c', { metadata: { deletionTimestamp: 'x' } })]), false);
  const together = { ...healthy, pods: [podOn('a')] };
  const left = (some: typeof claims) => consolidation.settled({ ...healthy, ...rest, claims: some }, together);
  assert.equal(left([claimOf('a'), claimOf('b')]), true, 'none was emptied, so one that was empty before counts');
  assert.equal(left(claims), false);
});

const deployment = (replicas: number) => ({
  ...({ apiVersion: 'apps/v1', kind: 'Deployment' } as const),
  metadata: { name: 'nginx-test' },
  spec: { replicas, selector: {}, template: { spec: { containers: [] } } },
});
const slice = {
  ...({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 's' } } as const),
  ...({ addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }] } as const),
};

const one = { application: application({ readyAtRest: 1 }) };

test('an empty node removed, the running node untouched and no downtime are as expected', () => {
  assert.deepEqual(
    outcomes(consolidation, { ...one, pool: pool({ emptied: [{ node: 'b', goneSeconds: 170 }], removed: ['b'] }) }),
    {
      'empty-node-removed': 'met',
      'running-node-untouched': 'met',
      'pods-ready': 'met',
      'no-downtime': 'met',
    },
  );
});

test('a node that had long been empty does not stand for the one that the scenario emptied', () => {
  const old = { ...one, pool: pool({ emptied: [{ node: 'b', goneSeconds: null }], removed: ['c'] }) };
  assert.equal(outcomes(consolidation, old)['empty-node-removed'], 'inconclusive');
  assert.match(words(consolidation, 'empty-node-removed', old), /^b stayed; empty before: c /);
  const alone = { ...one, pool: pool({ removed: ['c'] }) };
  assert.equal(outcomes(consolidation, alone)['empty-node-removed'], 'met', 'the replicas shared a node');
});

test('without a removed node it is inconclusive; a node disrupted with its pod is named', () => {
  assert.equal(outcomes(consolidation, one)['empty-node-removed'], 'inconclusive');
  const touched = { ...one, pool: pool({ nodesReplaced: 1, disruptedWithPods: ['a'] }) };
  assert.equal(outcomes(consolidation, touched)['running-node-untouched'], 'not-met');
  assert.match(words(consolidation, 'running-node-untouched', touched), /a \|.*no emptiness/);
  assert.equal(outcomes(consolidation, { ...one, downtime: downtime({ bad: 1 }) })['no-downtime'], 'not-met');
});

test('without observed nodes it is inconclusive whether the running node was untouched', () => {
  assert.equal(outcomes(consolidation, { ...one, pool: undefined as never })['running-node-untouched'], 'inconclusive');
});
