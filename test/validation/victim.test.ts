import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validationSchema } from '../../src/validation/settings.ts';
import type { Before } from '../../src/validation/snapshot.ts';
import { chooseVictim } from '../../src/validation/victim.ts';
import { podOn, poolNode } from '../support/objects.ts';

const settings = validationSchema.parse({});
const before = (over: Partial<Before>): Before => ({
  deployment: undefined,
  pods: [podOn('b'), podOn('a')],
  nodes: [poolNode('b'), poolNode('a'), poolNode('c')],
  claims: [],
  slices: [],
  budgets: [],
  components: [],
  ...over,
});

test('the victim is of the pool and holds a ready pod of the application; ties go by name', () => {
  assert.deepEqual(chooseVictim(before({}), settings), { node: 'a' });
  const two = before({ pods: [podOn('a'), podOn('b'), podOn('b', { name: 'second' })] });
  assert.deepEqual(chooseVictim(two, settings), { node: 'b' });
});

test('a node that holds ingress, autoscaler or DNS automation is never the victim', () => {
  const components = [{ component: 'ingress controller', pod: 'ingress-1', node: 'a' }];
  assert.deepEqual(chooseVictim(before({ components }), settings), { node: 'b' });
});

test('no such node is inconclusive, and says what is in the way', () => {
  const components = ['a', 'b'].map((node) => ({ component: 'autoscaler', pod: `karpenter-${node}`, node }));
  assert.match(JSON.stringify(chooseVictim(before({ components }), settings)), /karpenter-a \(autoscaler\) on a/);
  const elsewhere = before({ nodes: [poolNode('a', 'another')] });
  assert.match(JSON.stringify(chooseVictim(elsewhere, settings)), /no node of pool general-purpose-arm/);
  const unready = before({ pods: [podOn('a', { status: { conditions: [{ type: 'Ready', status: 'False' }] } })] });
  assert.ok('inconclusive' in chooseVictim(unready, settings));
});
