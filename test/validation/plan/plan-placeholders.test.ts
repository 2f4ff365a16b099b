import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atBaseline, placeholders, willBeApplied } from '../../../src/validation/plan/plan-placeholders.ts';
import { allScenarios as scenarios } from '../../../src/validation/scenarios/index.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { before, claimOf, nodePool, podOn, poolNode } from '../../support/objects.ts';

const settings = validationSchema.parse({});
const notReady = { status: { conditions: [] } };

test('a running application is planned as it is, except the one pod that will be left of several', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.constantFrom(2, 5), (pods, replicas) => {
      const now = before({ pods: Array.from({ length: pods }, (_, index) => podOn(`node-${index}`)) });
      assert.equal(atBaseline(now, replicas, settings), now);
      const left = atBaseline(now, 1, settings).pods.map(({ metadata }) => metadata.name);
      assert.deepEqual(left, [pods === 1 ? 'nginx-test-node-0' : placeholders.pod]);
    }),
  );
});

test('an application that will be applied has two placeholder nodes of the pool', () => {
  const now = before({ pods: [podOn('a', notReady)], claims: [claimOf('a')], nodes: [poolNode('a')] });
  const then = atBaseline(now, 2, settings);
  assert.deepEqual(
    then.nodes.map(({ metadata }) => metadata.name),
    ['a', placeholders.node, placeholders.otherNode],
  );
  assert.equal(then.claims.length, 3);
  assert.deepEqual(
    then.pods.map(({ spec }) => spec.nodeName),
    [placeholders.node, placeholders.otherNode],
  );
});

test('with manifests: none no application will be applied', () => {
  const now = before({ pods: [] });
  assert.equal(willBeApplied(now, settings), true);
  const none = { ...settings, manifests: 'none' } as const;
  assert.equal(willBeApplied(now, none), false);
  assert.equal(atBaseline(now, 2, none), now);
});

test('every scenario has actions for an application that will be applied', () => {
  const dns = { component: 'DNS automation', namespace: 'dns', pod: 'p', node: 'c', deployment: 'd' } as const;
  const ingressPods = [podOn('c')];
  const now = before({ pods: [], nodes: [], pool: nodePool(), components: [dns], ingressPods });
  for (const { name, baseline, plan } of scenarios) {
    const planned = plan(atBaseline(now, baseline.appReplicas, settings), settings, 0);
    assert.ok('actions' in planned && planned.actions.length > 0, `${name}: ${JSON.stringify(planned)}`);
  }
});
