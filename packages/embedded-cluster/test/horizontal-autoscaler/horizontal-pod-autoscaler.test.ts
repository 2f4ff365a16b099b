import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HorizontalPodAutoscalerSpec } from '../../src/kubernetes/horizontal-autoscaler.ts';
import type { HorizontalPodAutoscaler } from '../../src/kubernetes/resources.ts';
import type { PodSpec } from '../../src/kubernetes/specs.ts';
import { type InWorld, inWorld, withApplication } from '../support/in-world.ts';
import * as objects from '../support/objects.ts';
import { visitor } from '../support/visitor.ts';

const place = { name: 'nginx-test', namespace: 'default' };

function autoscaler(spec: Partial<HorizontalPodAutoscalerSpec> = {}): HorizontalPodAutoscaler {
  const target = { type: 'Utilization', averageUtilization: 50 } as const;
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: place,
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx-test' },
      minReplicas: 2,
      maxReplicas: 6,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
      ...spec,
    },
  };
}

/** So small that a few hundred requests a second are a load. */
const requesting = (cpu: string | undefined): PodSpec => ({
  ...objects.hardenedPod,
  containers: objects.hardenedPod.containers.map(({ resources: _, ...container }) => ({
    ...container,
    ...(cpu === undefined ? {} : { resources: { requests: { cpu } } }),
  })),
});

async function playing(cpu: string | undefined, play: (it: InWorld) => Promise<void>, replicas = 2): Promise<void> {
  const saved = await withApplication(`autoscaled ${cpu}`, { spec: requesting(cpu), replicas });
  await inWorld({ seed: 'autoscaled', saved }, play);
}

const status = async ({ cluster }: InWorld) => (await cluster.get('HorizontalPodAutoscaler', place))?.status;
const condition = async (it: InWorld, type: string) => {
  const found = (await status(it))?.conditions?.find((one) => one.type === type);
  return `${found?.status} ${found?.reason}`;
};
const replicas = async ({ cluster }: InWorld) => (await cluster.get('Deployment', place))?.spec.replicas;

async function until(it: InWorld, condition: () => Promise<boolean>): Promise<number> {
  const from = it.clock.monotonicSeconds();
  while (!(await condition())) {
    assert.ok(it.clock.monotonicSeconds() - from < 900, 'the condition does not hold after 15 minutes');
    await it.clock.sleep(0.5);
  }
  return it.clock.monotonicSeconds() - from;
}

/** Two requests at a time for that many seconds. */
async function load({ world, clock }: InWorld, seconds: number): Promise<void> {
  const endsAtSeconds = clock.monotonicSeconds() + seconds;
  const lane = async () => {
    const visit = visitor(clock, world, true);
    while (clock.monotonicSeconds() < endsAtSeconds) await visit();
  };
  await Promise.all([lane(), lane()]);
}

test('CPU above the target brings replicas; five minutes after the load they go again', () =>
  playing('5m', async (it) => {
    await it.cluster.create(autoscaler());
    await it.clock.sleep(40);
    assert.equal(await replicas(it), 2);
    assert.equal(await condition(it, 'ScalingActive'), 'True ValidMetricFound');
    assert.equal(await condition(it, 'AbleToScale'), 'True ScaleDownStabilized', 'one would do');
    const idle = (await status(it))?.currentMetrics?.[0]?.resource?.current;
    assert.deepEqual(idle, { averageUtilization: 20, averageValue: '1m' });
    await load(it, 60);
    const most = (await replicas(it)) ?? 0;
    assert.ok(most > 2, `${most} replicas`);
    const { lastScaleTime, desiredReplicas } = (await status(it)) ?? {};
    assert.ok(lastScaleTime !== undefined);
    assert.equal(desiredReplicas, most);
    await it.clock.sleep(60);
    const settled = (await replicas(it)) ?? 0;
    assert.equal(await condition(it, 'AbleToScale'), 'True ScaleDownStabilized');
    const seconds = await until(it, async () => (await replicas(it)) !== settled);
    assert.ok(seconds > 210 && seconds < 300, `${seconds} s: five minutes after the last high wish`);
    await until(it, async () => (await replicas(it)) === 2);
  }));

test('a target outside the bounds is brought inside at the next sync, 15 s after the autoscaler was made', () =>
  playing('100m', async (it) => {
    await it.cluster.create(autoscaler({ minReplicas: 3 }));
    const seconds = await until(it, async () => (await replicas(it)) === 3);
    assert.ok(seconds >= 15 && seconds <= 15.5, `${seconds} s`);
    assert.equal(await condition(it, 'AbleToScale'), 'True SucceededRescale');
    const ready = await until(
      it,
      async () => (await it.pods()).filter(({ status: now }) => now?.phase === 'Running').length === 3,
    );
    assert.ok(ready < 90, `${ready} s`);
    await it.scale(9);
    await until(it, async () => (await replicas(it)) === 6);
  }));

test('it takes back what somebody else scales down, within 15 s', () =>
  playing(
    '100m',
    async (it) => {
      await it.cluster.create(autoscaler({ minReplicas: 2 }));
      await it.clock.sleep(60);
      await it.scale(2);
      const seconds = await until(it, async () => (await replicas(it)) === 4);
      assert.ok(seconds <= 15.5, `${seconds} s`);
    },
    4,
  ));

test('a target without a cpu request stays as it is, and the autoscaler says why', () =>
  playing(undefined, async (it) => {
    await it.cluster.create(autoscaler());
    await it.clock.sleep(40);
    assert.equal(await condition(it, 'ScalingActive'), 'False FailedGetResourceMetric');
    assert.equal(await condition(it, 'AbleToScale'), 'True SucceededGetScale');
    const conditions = (await status(it))?.conditions ?? [];
    const why = /missing request for cpu in container nginx of Pod nginx-test-/;
    assert.match(conditions.find(({ type }) => type === 'ScalingActive')?.message ?? '', why);
    assert.deepEqual([await replicas(it), (await status(it))?.currentReplicas], [2, 2]);
  }));

test('a target that is not there, one that is scaled to zero, and one that comes back', () =>
  playing('100m', async (it) => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'other' } as const;
    await it.cluster.create(autoscaler({ scaleTargetRef }));
    await it.clock.sleep(20);
    assert.equal(await condition(it, 'AbleToScale'), 'False FailedGetScale');
    const value = { spec: { scaleTargetRef: { name: 'nginx-test' } } };
    await it.cluster.patch('HorizontalPodAutoscaler', place, { type: 'merge', value });
    await it.scale(0);
    await it.clock.sleep(20);
    assert.equal(await condition(it, 'AbleToScale'), 'True SucceededGetScale');
    assert.equal(await condition(it, 'ScalingActive'), 'False ScalingDisabled');
    assert.equal(await replicas(it), 0, 'an autoscaler leaves it alone');
    await it.scale(1);
    await until(it, async () => (await replicas(it)) === 2);
  }));

test('a policy counts what the autoscaler has changed itself: one pod a minute goes', () =>
  playing(
    '100m',
    async (it) => {
      const policies = [{ type: 'Pods', value: 1, periodSeconds: 60 }] as const;
      await it.cluster.create(autoscaler({ behavior: { scaleDown: { stabilizationWindowSeconds: 0, policies } } }));
      await until(it, async () => (await replicas(it)) === 3);
      assert.equal(await condition(it, 'ScalingLimited'), 'True ScaleDownLimit');
      const seconds = await until(it, async () => (await replicas(it)) === 2);
      assert.ok(seconds >= 59 && seconds <= 76, `${seconds} s`);
    },
    4,
  ));
