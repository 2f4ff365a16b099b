import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, Pod, ReplicaSet } from '../../../src/cluster/resources.ts';
import { garbageCollector } from '../../../src/rehearsal/controllers/garbage-collector.ts';
import { deployment } from '../../../src/rehearsal/workloads/deployment.ts';
import { replicaSet } from '../../../src/rehearsal/workloads/replica-set.ts';
import { scalings, surgeOf, unavailableOf } from '../../../src/rehearsal/workloads/rollout.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const workloads = [deployment, replicaSet, garbageCollector];
const place = { name: 'nginx-test', namespace: 'default' };
const revision = 'deployment.kubernetes.io/revision';

function withSpec(spec: Partial<Deployment['spec']>, replicas = 2): Deployment {
  const whole = objects.deployment(replicas);
  return { ...whole, spec: { ...whole.spec, ...spec } };
}

const pods = ({ cluster }: Stage) => cluster.list('Pod', { labelSelector: 'app=nginx-test' });
const sets = ({ cluster }: Stage) => cluster.list('ReplicaSet');
const change = ({ cluster }: Stage, spec: unknown) =>
  cluster.patch('Deployment', place, { type: 'merge', value: { spec } });
const version = (stage: Stage, text: string) =>
  change(stage, { template: { metadata: { annotations: { version: text } } } });
const state = async ({ cluster }: Stage) => {
  const { metadata, status } = (await cluster.get('Deployment', place)) ?? objects.deployment(0);
  const condition = (type: string) => status?.conditions?.find((one) => one.type === type);
  return { metadata, status, available: condition('Available'), progressing: condition('Progressing') };
};

/** As scheduler and kubelets do: every pod is on a node and ready. */
async function ready(stage: Stage): Promise<void> {
  for (const { metadata, spec, status } of await pods(stage)) {
    const at = { name: metadata.name, namespace: 'default' };
    if (spec.nodeName === undefined)
      await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    if (status?.phase === 'Running') continue;
    const lastTransitionTime = new Date(stage.clock.wallAt()).toISOString();
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime }];
    await stage.cluster.patch(
      'Pod',
      at,
      { type: 'merge', value: { status: { phase: 'Running', conditions } } },
      { subresource: 'status' },
    );
  }
}

async function settled(stage: Stage): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await stage.clock.sleep(0.5);
    await ready(stage);
    for (const { metadata } of (await pods(stage)).filter((pod) => pod.metadata.deletionTimestamp !== undefined))
      await stage.cluster.delete('Pod', { name: metadata.name, namespace: 'default' }, { gracePeriodSeconds: 0 });
  }
}

test('maxSurge is rounded up, maxUnavailable down, and they are not both 0', () => {
  const rolling = (replicas: number, maxSurge?: number | string, maxUnavailable?: number | string) => {
    const rollingUpdate = {
      ...(maxSurge !== undefined && { maxSurge }),
      ...(maxUnavailable !== undefined && { maxUnavailable }),
    };
    const wanted = withSpec({ strategy: { rollingUpdate } }, replicas);
    return [surgeOf(wanted), unavailableOf(wanted, surgeOf(wanted))];
  };
  assert.deepEqual(rolling(2), [1, 0], '25 % of two');
  assert.deepEqual(rolling(5), [2, 1]);
  assert.deepEqual(rolling(10, '30%', '34%'), [3, 3]);
  assert.deepEqual(rolling(3, 2, 1), [2, 1]);
  assert.deepEqual(rolling(2, '0%', '10%'), [0, 1], 'maxUnavailable becomes 1');
});

test('old sets are scaled down oldest first: unavailable replicas, then as many as may be unavailable', () => {
  const set = (name: string, replicas: number, availableReplicas: number, minute: number): ReplicaSet => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'default', creationTimestamp: `2026-01-01T00:0${minute}:00Z` },
    spec: { replicas, selector: {}, template: objects.deployment(1).spec.template },
    status: { replicas, availableReplicas },
  });
  const step = (wanted: Deployment, current: ReplicaSet, ...old: readonly ReplicaSet[]) =>
    scalings(wanted, current, [current, ...old], false).map((scaling) => [scaling.set.metadata.name, scaling.replicas]);
  const four = withSpec({}, 4);
  assert.deepEqual(step(four, set('new', 0, 0, 3), set('old', 4, 4, 1)), [['new', 1]], 'one more than four');
  assert.deepEqual(step(four, set('new', 1, 0, 3), set('old', 4, 4, 1)), [['old', 3]], 'one may be unavailable');
  assert.deepEqual(
    step(four, set('new', 1, 1, 3), set('old', 4, 4, 1)),
    [['old', 2]],
    'one is there, one may be unavailable',
  );
  assert.deepEqual(step(four, set('new', 1, 0, 3), set('good', 3, 3, 1), set('bad', 1, 0, 2)), [['bad', 0]]);
  assert.deepEqual(step(four, set('new', 2, 2, 3), set('older', 2, 2, 1), set('newer', 1, 1, 2)), [['older', 0]]);
});

test('with strategy Recreate the new pods are created when the last old one is gone', async () => {
  await onStage(workloads, [withSpec({ strategy: { type: 'Recreate' } })], async (stage) => {
    await settled(stage);
    await version(stage, '2');
    await stage.until(async () =>
      (await pods(stage)).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    await stage.clock.sleep(20);
    assert.equal((await pods(stage)).length, 2, 'both are still terminating');
    for (const { metadata } of await pods(stage))
      await stage.cluster.delete('Pod', { name: metadata.name, namespace: 'default' }, { gracePeriodSeconds: 0 });
    const seconds = await stage.until(async () => (await pods(stage)).length === 2);
    assert.ok(seconds < 0.3, `${seconds} s`);
    assert.ok((await pods(stage)).every(({ metadata }) => metadata.annotations?.version === '2'));
  });
});

test('a pod is available when it has been ready for minReadySeconds', async () => {
  await onStage(workloads, [withSpec({ minReadySeconds: 30 })], async (stage) => {
    await stage.until(async () => (await pods(stage)).length === 2);
    await ready(stage);
    await stage.until(async () => (await state(stage)).status?.readyReplicas === 2);
    assert.equal((await state(stage)).status?.availableReplicas, undefined);
    const seconds = await stage.until(async () => (await state(stage)).status?.availableReplicas === 2);
    assert.ok(seconds > 28 && seconds < 31, `${seconds} s`);
  });
});

test('a rollout without progress for progressDeadlineSeconds has the reason ProgressDeadlineExceeded, one with progress not', async () => {
  await onStage(workloads, [withSpec({ progressDeadlineSeconds: 60 })], async (stage) => {
    await stage.until(async () => (await pods(stage)).length === 2);
    await stage.until(async () => (await state(stage)).progressing?.reason === 'ReplicaSetUpdated');
    const seconds = await stage.until(async () => (await state(stage)).progressing?.status === 'False');
    assert.ok(seconds > 59 && seconds < 63, `${seconds} s`);
    assert.equal((await state(stage)).progressing?.reason, 'ProgressDeadlineExceeded');
    await settled(stage);
    assert.equal((await state(stage)).progressing?.reason, 'NewReplicaSetAvailable');
    assert.match(
      (await state(stage)).progressing?.message ?? '',
      /^ReplicaSet "nginx-test-\w+" has successfully progressed\.$/,
    );
    await stage.clock.sleep(600);
    await version(stage, '2');
    await stage.until(async () => (await state(stage)).progressing?.reason === 'NewReplicaSetCreated');
    await stage.until(async () => (await pods(stage)).some(({ metadata }) => metadata.annotations?.version === '2'));
    await stage.clock.sleep(1);
    assert.equal((await state(stage)).progressing?.status, 'True', 'the deadline begins with the rollout');
    await settled(stage);
    assert.equal((await state(stage)).progressing?.reason, 'NewReplicaSetAvailable');
  });
});

test('each template has a revision; a rollback uses its old set again, with the highest revision', async () => {
  await onStage(workloads, [withSpec({})], async (stage) => {
    await settled(stage);
    assert.equal((await state(stage)).metadata.annotations?.[revision], '1');
    const [first] = await sets(stage);
    await version(stage, '2');
    await settled(stage);
    assert.equal((await state(stage)).metadata.annotations?.[revision], '2');
    const { spec, metadata } = first?.spec.template ?? objects.deployment(1).spec.template;
    const { 'pod-template-hash': _, ...labels } = metadata?.labels ?? {};
    const value = [{ op: 'replace', path: '/spec/template', value: { spec, metadata: { labels } } }] as const;
    await stage.cluster.patch('Deployment', place, { type: 'json', value });
    await settled(stage);
    assert.equal((await sets(stage)).length, 2, 'no third set');
    const again = (await sets(stage)).find((set) => set.metadata.uid === first?.metadata.uid);
    assert.equal(again?.spec.replicas, 2);
    assert.equal(again?.metadata.annotations?.[revision], '3');
    assert.equal((await state(stage)).metadata.annotations?.[revision], '3');
  });
});

test('the newest revisionHistoryLimit old sets are kept', async () => {
  await onStage(workloads, [withSpec({ revisionHistoryLimit: 1 })], async (stage) => {
    await settled(stage);
    for (const text of ['2', '3', '4', '5']) {
      await version(stage, text);
      await settled(stage);
    }
    const revisions = (await sets(stage)).map(({ metadata }) => metadata.annotations?.[revision]).sort();
    assert.deepEqual(revisions, ['4', '5']);
  });
});

test('a paused Deployment is scaled but not rolled out', async () => {
  await onStage(workloads, [withSpec({})], async (stage) => {
    await settled(stage);
    await change(stage, { paused: true });
    await version(stage, '2');
    await change(stage, { replicas: 3 });
    await settled(stage);
    assert.equal((await sets(stage)).length, 1);
    assert.equal((await state(stage)).progressing?.reason, 'DeploymentPaused');
    await change(stage, { paused: false });
    await settled(stage);
    assert.ok((await pods(stage)).every(({ metadata }) => metadata.annotations?.version === '2'));
    assert.equal((await state(stage)).progressing?.reason, 'NewReplicaSetAvailable');
  });
});

test('a pod whose labels no longer match is released and replaced; with its labels back it is adopted and is surplus', async () => {
  await onStage(workloads, [withSpec({})], async (stage) => {
    await settled(stage);
    const [pod] = (await pods(stage)) as [Pod];
    const at = { name: pod.metadata.name, namespace: 'default' };
    const label = (app: string) =>
      stage.cluster.patch('Pod', at, { type: 'merge', value: { metadata: { labels: { app } } } });
    await label('quarantine');
    const seconds = await stage.until(async () => (await pods(stage)).length === 2);
    assert.ok(seconds < 0.2, `${seconds} s`);
    assert.deepEqual((await stage.cluster.get('Pod', at))?.metadata.ownerReferences, []);
    await label('nginx-test');
    await stage.until(
      async () => (await pods(stage)).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length === 2,
    );
    await settled(stage);
    assert.equal((await pods(stage)).length, 2);
  });
});
