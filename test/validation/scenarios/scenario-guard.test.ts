import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, HorizontalPodAutoscaler } from '../../../src/cluster/resources.ts';
import type { Before } from '../../../src/validation/observe/snapshot.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { scenarioGuard } from '../../../src/validation/scenarios/scenario-guard.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const settings = validationSchema.parse({ manifests: 'none', application: 'shop', autoscaler: { kind: 'none' } });
const workload = {
  kind: 'Deployment',
  metadata: { name: 'shop' },
  spec: { replicas: 2, template: { spec: { containers: [] } } },
};
const before = {
  workload: workload as unknown as Deployment,
  pods: [],
  nodes: [],
  claims: [],
  slices: [],
  budgets: [],
  poolPods: [],
  ingressPods: [],
  components: [],
  pool: undefined,
} as Before;
const autoscaler = (minReplicas: number, status?: object, name = 'shop'): HorizontalPodAutoscaler =>
  ({
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'by-load' },
    spec: { scaleTargetRef: { kind: 'Deployment', name }, minReplicas, maxReplicas: 10 },
    ...(status && { status }),
  }) as unknown as HorizontalPodAutoscaler;
const scalingUp = (one: HorizontalPodAutoscaler) => scenarioGuard(scaleUp, before, [one], settings);

test('a scenario whose replicas an autoscaler would put back is not run, and both numbers are said', () => {
  const advice = 'take it away for the run, or leave it out of the manifests that are rehearsed';
  assert.equal(
    scalingUp(autoscaler(2, { desiredReplicas: 2 })),
    `it needs 5 replicas, and HorizontalPodAutoscaler by-load wants 2 now (2 to 10 by its metrics) and would put them back: ${advice}`,
  );
  assert.match(scalingUp(autoscaler(1, { desiredReplicas: 3 })) ?? '', /^it needs 2 replicas, and .* wants 3 now/);
});

test('one that wants the same number, scales nothing or is another application’s hinders nothing', () => {
  const draining = (one: HorizontalPodAutoscaler) =>
    scenarioGuard({ ...nodeDrain, plan: () => ({ actions: [] }) }, before, [one], settings);
  const leftAlone = {
    ...nodeDrain,
    baseline: { appReplicas: 2, asItIs: true },
    plan: () => ({ actions: [] }),
  } as const;
  assert.equal(scenarioGuard(leftAlone, before, [autoscaler(6)], settings), undefined);
  assert.equal(draining(autoscaler(2)), undefined);
  assert.match(draining(autoscaler(1)) ?? '', /^it needs 2 replicas, and .* wants 1 now/);
  assert.equal(scalingUp(autoscaler(2, { conditions: [{ type: 'ScalingActive', status: 'False' }] })), undefined);
  assert.equal(scalingUp(autoscaler(2, {}, 'other')), undefined);
});
