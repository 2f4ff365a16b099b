import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../../src/cluster/resources.ts';
import type { ComponentPod } from '../../../src/validation/observe/snapshot.ts';
import { chooseVictim } from '../../../src/validation/observe/victim.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { before, podOn, poolNode } from '../../support/objects.ts';

const component = (kind: ComponentPod['component'], pod: string, node: string): ComponentPod => ({
  component: kind,
  namespace: 'kube-system',
  pod,
  node,
  deployment: undefined,
});

const settings = validationSchema.parse({});
test('the victim is a node of the pool with a ready pod of the application; of equal ones the first by name', () => {
  assert.deepEqual(chooseVictim(before(), settings), { node: 'a' });
  const two = before({ pods: [podOn('a'), podOn('b'), podOn('b', { name: 'second' })] });
  assert.deepEqual(chooseVictim(two, settings), { node: 'b' });
});

test('a node with a pod of the ingress controller, autoscaler or DNS automation is never the victim', () => {
  const components = [component('ingress controller', 'ingress-1', 'a')];
  assert.deepEqual(chooseVictim(before({ components }), settings), { node: 'b' });
});

test('without such a node the scenario is inconclusive, and the reason is given', () => {
  const components = ['a', 'b'].map((node) => component('autoscaler', `karpenter-${node}`, node));
  assert.match(JSON.stringify(chooseVictim(before({ components }), settings)), /karpenter-a \(autoscaler\) on a/);
  const elsewhere = before({ nodes: [poolNode('a', 'another')] });
  assert.match(JSON.stringify(chooseVictim(elsewhere, settings)), /no node of pool general-purpose-arm/);
  const unready = before({ pods: [podOn('a', { status: { conditions: [{ type: 'Ready', status: 'False' }] } })] });
  assert.ok('inconclusive' in chooseVictim(unready, settings));
});

test('of several applications the victim holds pods of most of them, for each of them the same node', () => {
  const first = [podOn('a'), podOn('a', { name: 'second' })];
  const [second, third] = [
    [podOn('b', { name: 'of-b' })],
    [podOn('b', { name: 'of-b-too' }), podOn('c', { name: 'c' })],
  ];
  const nodes = ['a', 'b', 'c'].map((name) => poolNode(name));
  const apart = (pods: readonly Pod[], ...beside: readonly (readonly Pod[])[]) => before({ nodes, pods, beside });
  for (const seen of [apart(first, second, third), apart(second, first, third), apart(third, second, first)])
    assert.deepEqual(chooseVictim(seen, settings), { node: 'b' });
});
