import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Pod } from '../../src/kubernetes/resources.ts';
import type { PodSpec, WeightedPodAffinityTerm } from '../../src/kubernetes/specs.ts';
import { interPodScores } from '../../src/scheduling/affinity-score.ts';
import { type NodeInfo, nodeInfoOf } from '../../src/scheduling/node-info.ts';
import { resourceScore } from '../../src/scheduling/resource-score.ts';
import { schedule } from '../../src/scheduling/schedule.ts';
import { spreadScores } from '../../src/scheduling/spread-score.ts';
import * as objects from '../support/objects.ts';

const labels = { app: 'nginx-test' };
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const selector = { labelSelector: { matchLabels: labels } };

const on = (nodeName: string, spec: Partial<PodSpec> = {}): Pod => objects.pod(`on-${nodeName}`, { nodeName, ...spec });
const infos = (nodes: readonly Node[], there: readonly Pod[] = []): readonly NodeInfo[] =>
  nodes.map((node) =>
    nodeInfoOf(
      node,
      there.filter(({ spec }) => spec.nodeName === node.metadata.name),
    ),
  );

/** The node that the scheduler picks, whichever of the nodes it looks at first. */
function placed(pod: Pod, nodes: readonly Node[], there: readonly Pod[] = []): string {
  const all = infos(nodes, there);
  const snapshot = {
    names: all.map(({ name }) => name),
    nodeInfo: (name: string) => all.find((one) => one.name === name),
  };
  const decisions = nodes.map((_, index) => schedule(pod, snapshot, () => index / nodes.length));
  const names = new Set(decisions.map((one) => ('node' in one ? one.node.name : one.message)));
  assert.equal(names.size, 1, [...names].join(' or '));
  return [...names][0] ?? '';
}

const inZones = ['a', 'b', 'c'].map((name) => objects.node(name, { labels: { [zone]: `z-${name}` } }));
const preferring = (...zones: readonly (readonly [string, number])[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: zones.map(([value, weight]) => ({
        weight,
        preference: { matchExpressions: [{ key: zone, operator: 'In' as const, values: [value] }] },
      })),
    },
  },
});
const near = (kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, weight = 100): Partial<PodSpec> => {
  const term: WeightedPodAffinityTerm = { weight, podAffinityTerm: { topologyKey, ...selector } };
  return { affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [term] } } };
};

test('preferred node affinity: the node with the larger sum of weights is taken, and none is forbidden', () => {
  assert.equal(placed(objects.pod('p', preferring(['z-b', 10], ['z-c', 30])), inZones), 'c');
  assert.equal(placed(objects.pod('p', preferring(['z-b', 20], ['z-b', 20], ['z-c', 30])), inZones), 'b');
  assert.equal(placed(objects.pod('p', preferring(['z-x', 100], ['z-a', 1])), inZones), 'a');
  assert.equal(placed(objects.pod('p', preferring(['z-x', 100])), [objects.node('a')]), 'a');
});

test('preferred pod affinity draws a pod to the domain of those that it selects, anti-affinity keeps it off', () => {
  const two = inZones.slice(0, 2);
  assert.equal(placed(objects.pod('p', near('podAffinity', zone)), two, [on('b')]), 'b');
  assert.equal(placed(objects.pod('p', near('podAntiAffinity', zone)), two, [on('b')]), 'a');
  assert.equal(placed(objects.pod('p', near('podAntiAffinity', hostname)), [objects.node('a')], [on('a')]), 'a');
});

test('the preferred terms of the pods on the nodes count for the pod that comes too, and their required affinity by 1', () => {
  const nodes = infos(inZones, [on('a', near('podAntiAffinity', zone, 50)), on('b', near('podAffinity', zone, 50))]);
  assert.deepEqual(interPodScores(objects.pod('p'), nodes, nodes), [0, 100, 50]);
  const required = {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, ...selector }] },
  };
  const hard = infos(inZones, [on('c', { affinity: required })]);
  assert.deepEqual(interPodScores(objects.pod('p'), hard, hard), [0, 0, 100]);
});

test('ScheduleAnyway: fewer matching pods in the domain score higher, in proportion', () => {
  const names = ['a', 'b', 'c', 'd'];
  const counts = [2, 1, 0, 3];
  const there = names.flatMap((name, index) => Array.from({ length: counts[index] ?? 0 }, () => on(name)));
  const nodes = infos(
    names.map((name) => objects.node(name)),
    there,
  );
  const anyway = { maxSkew: 1, topologyKey: hostname, whenUnsatisfiable: 'ScheduleAnyway' as const, ...selector };
  const pod = objects.pod('p', { topologySpreadConstraints: [anyway] });
  assert.deepEqual(spreadScores(pod, nodes, nodes), [20, 60, 100, 0]);
  const overZones = objects.pod('p', { topologySpreadConstraints: [{ ...anyway, topologyKey: zone }] });
  assert.deepEqual(spreadScores(overZones, nodes, nodes), [0, 0, 0, 0], 'a node without the label is not scored');
  assert.equal(placed(overZones, inZones, [on('a'), on('b')]), 'c');
});

test('pods of a ReplicaSet without constraints are spread over hosts and zones, as by the system’s default constraints', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 's', uid: 's', controller: true };
  const owned = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } });
  const nodes = [...inZones.slice(0, 2), objects.node('a2', { labels: { [zone]: 'z-a' } })];
  assert.equal(placed(owned(objects.pod('p')), nodes, [owned(on('a'))]), 'b');
  const ofNobody = infos(nodes, [on('a')]);
  assert.deepEqual(spreadScores(objects.pod('p'), ofNobody, ofNobody), [0, 0, 0]);
});

test('a node with a PreferNoSchedule taint is taken last, unless the pod tolerates it', () => {
  const tainted = objects.node('a', { spec: { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] } });
  const full = [on('b', { containers: [{ name: 'n', image: 'n', resources: { requests: { cpu: '1' } } }] })];
  const both = [tainted, objects.node('b')];
  assert.equal(placed(objects.pod('p'), both, full), 'b');
  assert.equal(placed(objects.pod('p', { tolerations: [{ operator: 'Exists' }] }), both, full), 'a');
});

test('the emptier node scores higher, and a container without requests counts for 100m and 200 MiB', () => {
  const [node] = infos([objects.node('a')]);
  const [used] = infos([objects.node('a')], [on('a')]);
  assert.ok(node !== undefined && used !== undefined);
  const { spec } = objects.pod('p');
  // 94 % of 1940m and 98 % of 14 GiB are free with the pod, and both shares of what it requests are 0.
  assert.equal(resourceScore(spec, node), 96 + 100);
  assert.equal(resourceScore(spec, used), 93 + 100);
});
