import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { driftOf } from '../../../packages/embedded-cluster/src/autoscaler/drift.ts';
import { poolHash } from '../../../packages/embedded-cluster/src/autoscaler/pool-hash.ts';
import type { NodeClaim, NodePool } from '../../../src/cluster/autoscaler.ts';
import type { Node } from '../../../src/cluster/resources.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { poolChange } from '../../../src/validation/manifests/pool-change.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const [pool] = manifests(validationSchema.parse({})) as readonly [NodePool];

const labels = {
  'kubernetes.io/arch': 'arm64',
  'kubernetes.io/os': 'linux',
  'karpenter.sh/capacity-type': 'on-demand',
  'karpenter.k8s.aws/instance-category': 'r',
  'karpenter.k8s.aws/instance-generation': '8',
};
const claim = (name: string, over: Partial<typeof labels> = {}): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name,
    labels: { ...labels, ...over },
    annotations: { 'karpenter.sh/nodepool-hash': poolHash(pool), 'karpenter.sh/nodepool-hash-version': 'v3' },
  },
  spec: { nodeClassRef: pool.spec.template.spec.nodeClassRef, requirements: [] },
  status: { nodeName: `node-${name}` },
});
const claims = [claim('a'), claim('b')];

function with_(change: (spec: NodePool['spec']) => NodePool['spec']): NodePool {
  return { ...pool, spec: change(pool.spec) };
}
const template = (over: object) =>
  with_((spec) => ({ ...spec, template: { ...spec.template, spec: { ...spec.template.spec, ...over } } }));

test('an unchanged pool drifts no node', () => {
  assert.deepEqual(poolChange(pool, structuredClone(pool), claims, []), { because: [], drifts: [], behavioural: [] });
});

test('expireAfter, labels and taints are part of the hash: every NodeClaim is replaced', () => {
  assert.deepEqual(poolChange(pool, template({ expireAfter: 'Never' }), claims, []), {
    because: ['/spec/template/spec/expireAfter'],
    drifts: ['a', 'b'],
    behavioural: [],
  });
  const labelled = with_((spec) => ({
    ...spec,
    template: { ...spec.template, metadata: { labels: { role: 'api' } } },
  }));
  assert.deepEqual(poolChange(pool, labelled, claims, []).because, ['/spec/template/metadata/labels/role']);
  assert.deepEqual(poolChange(pool, labelled, [], []).because, [], 'no node, no drift');
});

test('budgets, consolidation, limits and weight change what the autoscaler does, and drift no node', () => {
  const changed = with_((spec) => ({
    ...spec,
    disruption: { ...spec.disruption, budgets: [{ nodes: '1' }], consolidateAfter: '2m' },
    limits: { cpu: '100' },
  }));
  const change = poolChange(pool, changed, claims, []);
  assert.deepEqual(change.drifts, []);
  assert.deepEqual(change.behavioural.toSorted(), [
    '/spec/disruption/budgets/0/nodes',
    '/spec/disruption/consolidateAfter',
    '/spec/limits',
  ]);
});

test('a requirement drifts the NodeClaims whose node does not fulfil it, by the labels of the node too', () => {
  const older = claim('old', { 'karpenter.k8s.aws/instance-generation': '7' });
  const newer = template({
    requirements: [{ key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['7'] }],
  });
  const node = (name: string, more: object): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...more } },
  });
  assert.deepEqual(poolChange(pool, newer, [older, ...claims], []), {
    because: ['karpenter.k8s.aws/instance-generation Gt 7'],
    drifts: ['old'],
    behavioural: [],
  });
  const zoned = template({ requirements: [{ key: 'zone', operator: 'In', values: ['a'] }] });
  assert.deepEqual(poolChange(pool, zoned, claims, [node('node-a', { zone: 'a' })]).drifts, ['b']);
});

/** Changes of every kind that a person could make. */
const changes = fc.record(
  {
    expireAfter: fc.constantFrom('720h', 'Never', '24h'),
    terminationGracePeriod: fc.constantFrom('1h', '2h'),
    taints: fc.constantFrom([], [{ key: 'x', effect: 'NoSchedule' }]),
    role: fc.constantFrom('web', 'api'),
    generation: fc.constantFrom('6', '7', '8'),
    consolidateAfter: fc.constantFrom('1h', '2m'),
  },
  { requiredKeys: [] },
);

test('the predicted drift is the drift of the embedded autoscaler', () => {
  fc.assert(
    fc.property(changes, ({ role, generation = '6', consolidateAfter, ...spec }) => {
      const { template: before, disruption } = pool.spec;
      const requirements = before.spec.requirements.map((one) =>
        one.operator === 'Gt' ? { ...one, values: [generation] } : one,
      );
      const planned = with_(() => ({
        disruption: { ...disruption, ...(consolidateAfter && { consolidateAfter }) },
        template: {
          metadata: { labels: { role: role ?? 'web' } },
          spec: { ...before.spec, requirements, ...spec } as NodePool['spec']['template']['spec'],
        },
      }));
      const hashed: NodePool = {
        ...planned,
        metadata: {
          ...planned.metadata,
          annotations: { 'karpenter.sh/nodepool-hash': poolHash(planned), 'karpenter.sh/nodepool-hash-version': 'v3' },
        },
      };
      const all = [...claims, claim('old', { 'karpenter.k8s.aws/instance-generation': '7' })];
      const drifted = all.filter((one) => driftOf(one, hashed) !== undefined).map(({ metadata }) => metadata.name);
      assert.deepEqual(poolChange(pool, planned, all, []).drifts, drifted);
    }),
  );
});

test('a node that misses a requirement which stays as it was is not replaced by an empty change', () => {
  const wrong = [claim('a', { 'kubernetes.io/arch': 'amd64' }), claim('b')];
  assert.deepEqual(poolChange(pool, pool, wrong, []), { because: [], drifts: [], behavioural: [] });
  const more = template({
    requirements: [...pool.spec.template.spec.requirements, { key: 'zone', operator: 'In', values: ['c'] }],
  });
  assert.deepEqual(poolChange(pool, more, wrong, []).drifts, ['a', 'b'], 'a new requirement drifts those that miss it');
});
