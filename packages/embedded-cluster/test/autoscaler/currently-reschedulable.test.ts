import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCurrentlyReschedulable } from '../../src/autoscaler/cluster-state.ts';
import { cacheOf } from '../support/cache-of.ts';
import * as objects from '../support/objects.ts';

const at = Date.parse('2026-01-01T01:00:00Z');
const pod = (ready: boolean) => objects.pod('p', { nodeName: 'a' }, { ready });
const withBudget = (spec: object, ready = true) => {
  const { minAvailable: _, ...own } = objects.budget.spec;
  return isCurrentlyReschedulable(pod(ready), cacheOf([{ ...objects.budget, spec: { ...own, ...spec } }]), at);
};

test('a pod that a budget never lets go gets no room elsewhere; one that a budget refuses now does', () => {
  for (const spec of [{ maxUnavailable: 0 }, { maxUnavailable: '0%' }, { minAvailable: '100%' }])
    assert.equal(withBudget(spec), false, JSON.stringify(spec));
  for (const spec of [{ minAvailable: 1 }, { minAvailable: '50%' }, { maxUnavailable: 1 }])
    assert.equal(withBudget(spec), true, JSON.stringify(spec));
});

test('a budget that always lets unhealthy pods go keeps only healthy ones', () => {
  const spec = { maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' };
  assert.deepEqual([withBudget(spec, true), withBudget(spec, false)], [false, true]);
});

test('a pod with do-not-disrupt gets no room elsewhere', () => {
  const { metadata } = pod(true);
  const kept = { ...pod(true), metadata: { ...metadata, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } };
  assert.equal(isCurrentlyReschedulable(kept, cacheOf([]), at), false);
});
