import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, HorizontalPodAutoscaler, PodDisruptionBudget } from '../../../src/cluster/resources.ts';
import { settleLimitSeconds } from '../../../src/validation/procedure/settle-limit.ts';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import type { Scenario } from '../../../src/validation/scenarios/scenario.ts';
import { withStartingReplicas } from '../../../src/validation/scenarios/starting-replicas.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const own = validationSchema.parse({ manifests: 'none', application: 'shop', autoscaler: { kind: 'none' } });
const workload = (replicas: number, terminationGracePeriodSeconds = 30): Deployment =>
  ({
    kind: 'Deployment',
    metadata: { name: 'shop' },
    spec: {
      replicas,
      template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [], terminationGracePeriodSeconds } },
    },
  }) as unknown as Deployment;
const autoscaler = (minReplicas: number, status?: object): HorizontalPodAutoscaler =>
  ({
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'by-load' },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'shop' }, minReplicas, maxReplicas: 10 },
    ...(status && { status }),
  }) as unknown as HorizontalPodAutoscaler;
const budget = (minAvailable: number): PodDisruptionBudget =>
  ({ metadata: { name: 'shop' }, spec: { minAvailable, selector: { matchLabels: { app: 'shop' } } } }) as never;

function isLeftAlone(
  replicas: number,
  {
    autoscalers = [],
    budgets = [],
    scenario = nodeDrain,
    settings = own,
  }: {
    autoscalers?: readonly HorizontalPodAutoscaler[];
    budgets?: readonly PodDisruptionBudget[];
    scenario?: Scenario;
    settings?: typeof own;
  },
): boolean {
  const before = { workload: workload(replicas), budgets };
  return withStartingReplicas(scenario, before, autoscalers, settings).baseline.asItIs === true;
}

test('a scenario that wants at least two replicas is made with those that the owner declares, be it one', () => {
  for (const replicas of [1, 2, 3, 6]) assert.ok(isLeftAlone(replicas, {}));
  assert.ok(isLeftAlone(6, { autoscalers: [autoscaler(2, { desiredReplicas: 6 })] }));
  assert.ok(isLeftAlone(2, { budgets: [budget(3)] }));
});

test('replicas are set by a scenario that needs one, of an application without any, and for the specification’s own', () => {
  const autoscalers = [autoscaler(3)];
  assert.ok(!isLeftAlone(3, { autoscalers, scenario: consolidation }));
  assert.ok(!isLeftAlone(0, {}));
  assert.ok(!isLeftAlone(3, { autoscalers, settings: validationSchema.parse({}) }));
});

test('an application of its owner is scaled up 2.5 times, and down to what its budgets and autoscalers allow', () => {
  const scaled = (scenario: Scenario, replicas: number, budgets: readonly PodDisruptionBudget[] = []): unknown => {
    const started = withStartingReplicas(scenario, { workload: workload(replicas), budgets }, [], own);
    const plan = started.plan({ pods: [] } as never, own, 1);
    return [started.baseline.appReplicas, ...('actions' in plan ? plan.actions : []).map(({ target }) => target)];
  };
  const to = (replicas: number): object => ({ namespace: 'default', name: 'shop', replicas });
  assert.deepEqual(scaled(scaleUp, 3), [3, to(8)]);
  assert.deepEqual(scaled(scaleUp, 1), [1, to(3)]);
  assert.deepEqual(scaled(scaleDown, 3), [8, to(1)]);
  assert.deepEqual(scaled(scaleDown, 4, [budget(2)]), [10, to(2)]);
  const oneMayGo = { ...budget(0), spec: { ...budget(0).spec, minAvailable: undefined, maxUnavailable: 1 } };
  assert.deepEqual(scaled(scaleDown, 4, [oneMayGo as never]), [10, to(3)], 'what it keeps of those declared');
});

test('each replica that is left alone may need its whole grace period to end', () => {
  const before = { workload: workload(6, 100), budgets: [] };
  const started = withStartingReplicas(nodeDrain, before, [autoscaler(3)], own);
  assert.equal(settleLimitSeconds(started, before), 450 + 6 * 60);
  assert.equal(settleLimitSeconds(nodeDrain, before), 450 + 2 * 60);
});
