import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, HorizontalPodAutoscaler, PodDisruptionBudget } from '../../../src/cluster/resources.ts';
import { ownerLimits } from '../../../src/validation/observe/owner-limits.ts';

const deployment = (replicas: number): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'web', name: 'shop' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'shop' } },
    template: { metadata: { labels: { app: 'shop', tier: 'web' } }, spec: { containers: [] } },
  },
});
const autoscaler = (spec: object, name = 'shop'): HorizontalPodAutoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'hpa' },
  spec: { scaleTargetRef: { kind: 'Deployment', name }, maxReplicas: 10, ...spec },
});
const budget = (spec: object, labels: Record<string, string> = { app: 'shop' }): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'pdb' },
  spec: { selector: { matchLabels: labels }, ...spec },
});

test('an application without limits of its owner may be scaled to any number', () => {
  assert.deepEqual(ownerLimits(deployment(2), [], []), { least: 0, because: [] });
  assert.deepEqual(ownerLimits(deployment(2), [autoscaler({ minReplicas: 5 }, 'other')], []), {
    least: 0,
    because: [],
  });
  assert.deepEqual(ownerLimits(deployment(2), [], [budget({ minAvailable: 2 }, { app: 'other' })]).least, 0);
});

test('the limits are minReplicas and maxReplicas of its HorizontalPodAutoscaler', () => {
  assert.deepEqual(ownerLimits(deployment(5), [autoscaler({ minReplicas: 3 })], []), {
    least: 3,
    most: 10,
    because: ['HorizontalPodAutoscaler hpa has minReplicas 3'],
  });
  assert.equal(ownerLimits(deployment(5), [autoscaler({})], []).least, 1);
});

test('the least is the number that its PodDisruptionBudget wants available; shares follow the replicas', () => {
  const least = (replicas: number, spec: object) => ownerLimits(deployment(replicas), [], [budget(spec)]).least;
  assert.equal(least(5, { minAvailable: 2 }), 2);
  assert.equal(least(5, { minAvailable: '50%' }), 0);
  assert.equal(least(5, { maxUnavailable: 1 }), 0);
  assert.equal(least(5, { maxUnavailable: '50%' }), 0);
});

test('the narrowest limit decides', () => {
  const limits = ownerLimits(deployment(5), [autoscaler({ minReplicas: 2 })], [budget({ minAvailable: 3 })]);
  assert.equal(limits.least, 3);
  assert.equal(limits.because.length, 2);
});

test('a budget that selects the pods by an expression counts too', () => {
  const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['shop', 'cart'] }] } as const;
  assert.equal(ownerLimits(deployment(5), [], [budget({ minAvailable: 2, selector })]).least, 2);
});
