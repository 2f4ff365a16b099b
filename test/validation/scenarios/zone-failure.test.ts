import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, EndpointSlice } from '../../../src/cluster/resources.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import type { Before } from '../../../src/validation/observe/snapshot.ts';
import { zoneFailure } from '../../../src/validation/scenarios/zone-failure.ts';
import { application, measured, outcomes, pool, settings, words } from '../../support/measured.ts';
import { before, claimOf, podOn, poolNode } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const inZone = (name: string, zone: string, poolName?: string) => {
  const node = poolNode(name, poolName);
  return {
    ...node,
    metadata: { ...node.metadata, labels: { ...node.metadata.labels, 'topology.kubernetes.io/zone': zone } },
  };
};

/** Zone `a` with two nodes of the pool and one of another, zone `b` with one; a pod on the first of each. */
const spread = (over: Partial<Before> = {}): Before =>
  before({
    pods: [podOn('a1'), podOn('b1')],
    nodes: [inZone('a1', 'a'), inZone('a2', 'a'), inZone('a3', 'a', 'another'), inZone('b1', 'b')],
    claims: ['a1', 'a2', 'b1'].map((node) => claimOf(node)),
    ...over,
  });

const planned = (now: Before) => {
  const plan = zoneFailure.plan(now, settings);
  assert.ok('actions' in plan, JSON.stringify(plan));
  return plan;
};
const targetOf = (now: Before) => planned(now).actions[0]?.target;

test('the instances of all nodes of the pool in one zone are terminated at once, and those of other pools are not', () => {
  const { actions } = planned(spread());
  const target = { zone: 'a', nodes: ['a1', 'a2'], nodePool: 'general-purpose-arm' };
  assert.deepEqual(actions, [{ action: 'terminate-zone', target }]);
});

test('it is the zone with most of the application’s pods, and no zone with a component on the request path', () => {
  const more = spread({ pods: [podOn('a1'), podOn('b1', { name: 'one' }), podOn('b1', { name: 'two' })] });
  assert.deepEqual(targetOf(more)?.nodes, ['b1']);
  const component = { component: 'ingress controller', namespace: 'i', pod: 'p', node: 'a2', deployment: 'd' } as const;
  assert.deepEqual(targetOf(spread({ components: [component] }))?.nodes, ['b1']);
  const both = [component, { ...component, node: 'b1' }];
  assert.deepEqual(zoneFailure.plan(spread({ components: both }), settings), {
    inconclusive:
      "every zone with the application's pods also holds p (ingress controller) on a2, p (ingress controller) on b1",
  });
});

test('of several applications all choose the zone that holds pods of most of them', () => {
  const one = [podOn('a1')];
  const other = [podOn('b1', { name: 'x' }), podOn('b1', { name: 'y' }), podOn('a1', { name: 'z' })];
  assert.equal(targetOf(spread({ pods: one, beside: [other] }))?.zone, 'a');
  assert.equal(targetOf(spread({ pods: other, beside: [one] }))?.zone, 'a');
});

test('nodes that name no zone, or hold no ready pod, are in none that could fail', () => {
  assert.ok('inconclusive' in zoneFailure.plan(before(), settings));
  assert.ok('inconclusive' in zoneFailure.plan(spread({ pods: [] }), settings));
});

test('who else is on the nodes is noted, and how many replicas are elsewhere', () => {
  const neighbour = podOn('a2', { name: 'batch', labels: { app: 'other' } });
  const notes = planned(spread({ poolPods: [neighbour] })).notes ?? [];
  assert.deepEqual(
    notes.map(({ observed }) => observed),
    [
      '1 of 2 ready pods are on nodes of other zones',
      'nobody but the application and what runs on every node',
      'default/batch',
    ],
  );
});

const gone = { taken: ['a1', 'a2'].map((node) => ({ node, notReadySeconds: 50, goneSeconds: 60 })) };

test('at most 60 s of downtime, the nodes gone and the pods ready again are as expected', () => {
  const seen = { pool: pool(gone) };
  assert.deepEqual(outcomes(zoneFailure, seen), {
    'short-recovery': 'met',
    'nodes-gone': 'met',
    'pods-ready': 'met',
    'three-clocks': 'noted',
  });
  const took = (lowerSeconds: number, upperSeconds: number) =>
    outcomes(zoneFailure, { ...seen, downtime: downtime({ bad: 1, lowerSeconds, upperSeconds }) })['short-recovery'];
  assert.deepEqual([took(58, 60), took(59, 61), took(61, 63)], ['met', 'inconclusive', 'not-met']);
  const one = application({ readyAtRest: 1 });
  assert.equal(outcomes(zoneFailure, { ...seen, application: one })['pods-ready'], 'not-met');
});

test('a node that stayed, or was not watched, proves nothing', () => {
  const [first, second] = gone.taken;
  assert.ok(first !== undefined && second !== undefined);
  const stayed = { pool: pool({ taken: [first, { ...second, goneSeconds: null }] }) };
  assert.equal(outcomes(zoneFailure, stayed)['nodes-gone'], 'inconclusive');
  assert.match(words(zoneFailure, 'nodes-gone', stayed), /^still there: a2 /);
  const { pool: _, ...unwatched } = measured();
  const found = zoneFailure.judge(unwatched, settings).find(({ id }) => id === 'nodes-gone');
  assert.equal(found?.outcome, 'inconclusive');
  assert.equal(outcomes(zoneFailure, { pool: pool() })['nodes-gone'], 'inconclusive', 'none was taken');
});

const slice = (endpoints: number): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'slice' },
  addressType: 'IPv4',
  endpoints: Array.from({ length: endpoints }, (_, n) => ({ addresses: [`10.0.0.${n}`], conditions: { ready: true } })),
});

test('it has settled when every node of the zone is gone with its claim, and what came is initialized', () => {
  const workload = manifests(settings).find(({ kind }) => kind === 'Deployment') as Deployment;
  const then = spread({ workload });
  const after = (over: Partial<Before>) => ({ ...then, ...over });
  const left = then.nodes.filter(({ metadata }) => ['a3', 'b1'].includes(metadata.name));
  const came = { nodes: [...left, inZone('c1', 'a')], claims: ['b1', 'c1'].map((node) => claimOf(node)) };
  const pods = { pods: [podOn('c1'), podOn('b1')], slices: [slice(2)] };
  assert.equal(zoneFailure.settled(after({ ...came, ...pods }), then), true);
  assert.equal(zoneFailure.settled(after({ ...came, ...pods, slices: [slice(1)] }), then), false, 'an endpoint short');
  const half = { ...came, claims: ['a2', 'b1', 'c1'].map((node) => claimOf(node)) };
  assert.equal(zoneFailure.settled(after({ ...half, ...pods }), then), false, 'a claim of the zone is left');
});
