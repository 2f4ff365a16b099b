import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeringsOf } from '../../src/autoscaler/offering.ts';
import { pack } from '../../src/autoscaler/packing.ts';
import { relaxations } from '../../src/autoscaler/preferences.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import type { PodSpec } from '../../src/kubernetes/specs.ts';
import { nodeInfoOf } from '../../src/scheduling/node-info.ts';
import { healthy } from '../../src/setup/setup.ts';
import * as objects from '../support/objects.ts';

const zones = ['z-a', 'z-b', 'z-c'];
const zone = 'topology.kubernetes.io/zone';
const source = {
  pool: objects.nodePool,
  offerings: offeringsOf(objects.nodePool, zones, healthy.autoscaler),
  daemons: [],
};
const selector = { labelSelector: { matchLabels: { app: 'nginx-test' } } };
const pods = (count: number, spec: Partial<PodSpec>): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => objects.pod(`p${index}`, spec));
const zonesOf = (spec: Partial<PodSpec>) =>
  pack(pods(1, spec), [], [source]).plans.map(({ offering }) => offering.zone);

const apart: Partial<PodSpec> = {
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', ...selector } },
      ],
    },
  },
};
const anyway: Partial<PodSpec> = {
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', ...selector },
  ],
};
const preferring = (...values: readonly (readonly [string, number])[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: values.map(([value, weight]) => ({
        weight,
        preference: { matchExpressions: [{ key: zone, operator: 'In' as const, values: [value] }] },
      })),
    },
  },
});

test('Karpenter first takes preferences as required: pods that would rather be apart, or spread anyway, get a node each', () => {
  assert.equal(pack(pods(3, {}), [], [source]).plans.length, 1);
  assert.equal(pack(pods(3, apart), [], [source]).plans.length, 3);
  assert.equal(pack(pods(3, anyway), [], [source]).plans.length, 3);
});

test('and gives them up one by one where no node could be made', () => {
  const node = nodeInfoOf(objects.node('n'), []);
  for (const spec of [apart, anyway]) {
    const { placed, unplaced } = pack(pods(3, spec), [node], []);
    assert.equal(unplaced.length, 0);
    assert.deepEqual(new Set(placed.values()), new Set(['n']));
  }
});

test('of preferred node affinities the heaviest that a pool can give decides', () => {
  assert.deepEqual(zonesOf({}), ['z-a']);
  assert.deepEqual(zonesOf(preferring(['z-b', 10], ['z-c', 50])), ['z-c']);
  assert.deepEqual(zonesOf(preferring(['z-b', 10], ['z-x', 50])), ['z-b']);
  assert.deepEqual(zonesOf(preferring(['z-x', 50])), ['z-a']);
});

test('preferences are given up in the order pod affinity, anti-affinity, node affinity, spread', () => {
  const { podAntiAffinity = {} } = apart.affinity ?? {};
  const affinity = {
    ...apart.affinity,
    podAffinity: podAntiAffinity,
    ...preferring(['z-b', 1]).affinity,
  };
  const chain = relaxations(objects.pod('p', { ...anyway, affinity }));
  const required = chain.map(({ spec: { affinity: own, topologySpreadConstraints = [] } }) => [
    own?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length ?? 0,
    own?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length ?? 0,
    own?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms.length ?? 0,
    topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule').length,
  ]);
  assert.deepEqual(required, [
    [1, 1, 1, 1],
    [0, 1, 1, 1],
    [0, 0, 1, 1],
    [0, 0, 0, 1],
    [0, 0, 0, 0],
  ]);
});
