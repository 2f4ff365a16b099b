import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../src/kubernetes/resources.ts';
import type { StatefulSet } from '../../src/kubernetes/stateful-set.ts';
import { statefulSet } from '../../src/workloads/stateful-set.ts';
import { onStage, type Stage } from '../support/stage.ts';

const at = { name: 'db', namespace: 'default' };
const labels = { app: 'db' };
const set = (spec: Partial<StatefulSet['spec']> = {}): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: at,
  spec: {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'postgres' }] } },
    ...spec,
  },
});

const pods = ({ cluster }: Stage) => cluster.list('Pod', { namespace: 'default' });
const names = async (stage: Stage) => (await pods(stage)).map(({ metadata }) => metadata.name).sort();
const status = async ({ cluster }: Stage) => (await cluster.get('StatefulSet', at))?.status;
const versionOf = ({ spec }: Pod) => spec.containers[0]?.image;
const isTerminating = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;

/** Binds the pod, because one without a node is removed at once, and reports its phase. */
async function ready(stage: Stage, name: string, phase = 'Running'): Promise<void> {
  const place = { name, namespace: 'default' };
  const lastTransitionTime = new Date(stage.clock.wallAt()).toISOString().replace(/\.\d+/, '');
  const conditions = [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False', lastTransitionTime }];
  await stage.cluster.patch('Pod', place, { type: 'merge', value: { spec: { nodeName: 'n0' } } });
  const value = { status: { phase, conditions } };
  await stage.cluster.patch('Pod', place, { type: 'merge', value }, { subresource: 'status' });
}
const gone = (stage: Stage, name: string) =>
  stage.cluster.delete('Pod', { name, namespace: 'default' }, { gracePeriodSeconds: 0 });
const scale = (stage: Stage, replicas: number) =>
  stage.cluster.patch('StatefulSet', at, { type: 'merge', value: { spec: { replicas } } });
const image = (stage: Stage, version: string) =>
  stage.cluster.patch('StatefulSet', at, {
    type: 'json',
    value: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: version }],
  });

/** As a kubelet does: each pod becomes ready, each terminating one is removed. Returns what was terminating. */
async function kubelet(stage: Stage): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const pod of await pods(stage)) {
    const { name } = pod.metadata;
    if (isTerminating(pod)) {
      removed.push(name);
      await gone(stage, name);
    } else if (pod.status?.phase !== 'Running' && pod.status?.phase !== 'Failed') await ready(stage, name);
  }
  return removed;
}

/**
 * One round of kubelets a second until nothing has changed for ten; returns the names in the order in which they were
 * removed.
 */
async function settle(stage: Stage): Promise<readonly string[]> {
  const removed: string[] = [];
  for (let quiet = 0; quiet < 10; quiet += 1) {
    const round = await kubelet(stage);
    removed.push(...round);
    if (round.length > 0) quiet = 0;
    await stage.clock.sleep(1);
  }
  return removed;
}

test('pods are made one after the other, each when the one before it is ready, with their ordinals', async () => {
  await onStage([statefulSet], [set()], async (stage) => {
    await stage.clock.sleep(5);
    assert.deepEqual(await names(stage), ['db-0'], 'db-0 is not ready yet');
    await ready(stage, 'db-0');
    await stage.clock.sleep(5);
    assert.deepEqual(await names(stage), ['db-0', 'db-1']);
    await settle(stage);
    assert.deepEqual(await names(stage), ['db-0', 'db-1', 'db-2']);
    const [, second] = await pods(stage);
    const { currentRevision } = (await status(stage)) ?? {};
    assert.deepEqual(second?.metadata.labels, {
      app: 'db',
      'apps.kubernetes.io/pod-index': '1',
      'statefulset.kubernetes.io/pod-name': 'db-1',
      'controller-revision-hash': currentRevision,
    });
    assert.equal(second?.spec.hostname, 'db-1');
    assert.equal(second?.spec.subdomain, 'db');
    const { replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas } =
      (await status(stage)) ?? {};
    assert.deepEqual([replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas], [3, 3, 3, 3, 3]);
  });
});

test('with Parallel all pods are made at once', async () => {
  await onStage([statefulSet], [set({ podManagementPolicy: 'Parallel' })], async (stage) => {
    const seconds = await stage.until(async () => (await names(stage)).length === 3);
    assert.ok(seconds <= 0.1, `${seconds} s`);
  });
});

test('a pod is made again under its name only when the old one is gone', async () => {
  await onStage([statefulSet], [set()], async (stage) => {
    await settle(stage);
    const before = (await pods(stage)).find(({ metadata }) => metadata.name === 'db-1');
    await stage.cluster.delete('Pod', { name: 'db-1', namespace: 'default' });
    await stage.clock.sleep(300);
    const during = (await pods(stage)).find(({ metadata }) => metadata.name === 'db-1');
    assert.equal(during?.metadata.uid, before?.metadata.uid, 'a kubelet that is gone keeps it Terminating');
    await gone(stage, 'db-1');
    await stage.until(async () => (await names(stage)).includes('db-1'));
    assert.notEqual((await pods(stage))[1]?.metadata.uid, before?.metadata.uid);
  });
});

test('a pod that has failed is deleted and made again', async () => {
  await onStage([statefulSet], [set({ replicas: 1 })], async (stage) => {
    await settle(stage);
    const [before] = await pods(stage);
    await ready(stage, 'db-0', 'Failed');
    await settle(stage);
    const [after] = await pods(stage);
    assert.notEqual(after?.metadata.uid, before?.metadata.uid);
    assert.equal(after?.status?.phase, 'Running');
  });
});

test('scaling down removes the highest ordinal first, one after the other', async () => {
  await onStage([statefulSet], [set()], async (stage) => {
    await settle(stage);
    await scale(stage, 1);
    await stage.clock.sleep(5);
    assert.deepEqual(
      (await pods(stage)).filter(isTerminating).map(({ metadata }) => metadata.name),
      ['db-2'],
    );
    assert.deepEqual(await settle(stage), ['db-2', 'db-1']);
    assert.deepEqual(await names(stage), ['db-0']);
  });
});

test('a new template replaces the pods from the highest ordinal down; a pod that does not get ready stops it', async () => {
  await onStage([statefulSet], [set()], async (stage) => {
    await settle(stage);
    await image(stage, 'postgres:2');
    await stage.until(async () => (await pods(stage)).some(isTerminating));
    await gone(stage, 'db-2');
    await stage.clock.sleep(60);
    assert.deepEqual((await pods(stage)).map(versionOf), ['postgres', 'postgres', 'postgres:2']);
    const during = await status(stage);
    assert.notEqual(during?.currentRevision, during?.updateRevision);
    assert.deepEqual([during?.currentReplicas, during?.updatedReplicas], [2, 1]);
    assert.deepEqual(await settle(stage), ['db-1', 'db-0']);
    assert.deepEqual((await pods(stage)).map(versionOf), ['postgres:2', 'postgres:2', 'postgres:2']);
    const after = await status(stage);
    assert.equal(after?.currentRevision, after?.updateRevision);
    assert.equal((await stage.cluster.list('ControllerRevision', { namespace: 'default' })).length, 2);
  });
});

test('pods before the partition keep and get the old template', async () => {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } as const;
  await onStage([statefulSet], [set({ updateStrategy })], async (stage) => {
    await settle(stage);
    await image(stage, 'postgres:2');
    assert.deepEqual(await settle(stage), ['db-2']);
    await stage.cluster.delete('Pod', { name: 'db-0', namespace: 'default' });
    await settle(stage);
    assert.deepEqual((await pods(stage)).map(versionOf), ['postgres', 'postgres', 'postgres:2']);
  });
});

test('with OnDelete a pod gets the new template only when somebody deletes it', async () => {
  await onStage([statefulSet], [set({ updateStrategy: { type: 'OnDelete' } })], async (stage) => {
    await settle(stage);
    await image(stage, 'postgres:2');
    assert.deepEqual(await settle(stage), []);
    await stage.cluster.delete('Pod', { name: 'db-1', namespace: 'default' });
    await settle(stage);
    assert.deepEqual((await pods(stage)).map(versionOf), ['postgres', 'postgres:2', 'postgres']);
  });
});

test('minReadySeconds is waited for before the next pod', async () => {
  await onStage([statefulSet], [set({ minReadySeconds: 30, replicas: 2 })], async (stage) => {
    await stage.until(async () => (await names(stage)).length === 1);
    await ready(stage, 'db-0');
    const seconds = await stage.until(async () => (await names(stage)).length === 2);
    assert.ok(seconds >= 29 && seconds <= 31, `${seconds} s`);
  });
});

test('every pod has its claims, which outlive it', async () => {
  const resources = { requests: { storage: '1Gi' } };
  const template = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources } };
  await onStage([statefulSet], [set({ replicas: 2, volumeClaimTemplates: [template] })], async (stage) => {
    await settle(stage);
    const claims = () => stage.cluster.list('PersistentVolumeClaim', { namespace: 'default' });
    const claimed = async () => (await claims()).map(({ metadata }) => metadata.name);
    assert.deepEqual(await claimed(), ['data-db-0', 'data-db-1']);
    assert.deepEqual((await pods(stage))[1]?.spec.volumes, [
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } },
    ]);
    const before = (await claims()).map(({ metadata }) => metadata.uid);
    await scale(stage, 1);
    await settle(stage);
    await scale(stage, 2);
    await settle(stage);
    assert.deepEqual(
      (await claims()).map(({ metadata }) => metadata.uid),
      before,
    );
  });
});

test('ordinals may start at another number', async () => {
  await onStage([statefulSet], [set({ replicas: 2, ordinals: { start: 5 } })], async (stage) => {
    await settle(stage);
    assert.deepEqual(await names(stage), ['db-5', 'db-6']);
  });
});

test('with Parallel a new template is rolled out one pod after the other all the same', async () => {
  await onStage([statefulSet], [set({ podManagementPolicy: 'Parallel' })], async (stage) => {
    await settle(stage);
    await image(stage, 'postgres:2');
    await stage.until(async () => (await pods(stage)).some(isTerminating));
    await gone(stage, 'db-2');
    await stage.clock.sleep(60);
    assert.deepEqual((await pods(stage)).map(isTerminating), [false, false, false]);
  });
});
