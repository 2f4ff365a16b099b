import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbageCollector } from '../../src/controllers/garbage-collector.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import { delays } from '../../src/time/delays.ts';
import { deployment } from '../../src/workloads/deployment.ts';
import { deletionOrder, replicaSet } from '../../src/workloads/replica-set.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const workloads = [deployment, replicaSet, garbageCollector];
const name = { name: 'nginx-test', namespace: 'default' };

const podsIn = ({ cluster }: Stage) => cluster.list('Pod', { labelSelector: 'app=nginx-test' });
const active = (pods: readonly Pod[]) => pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
const scale = ({ cluster }: Stage, replicas: number) =>
  cluster.patch('Deployment', name, { type: 'merge', value: { spec: { replicas } } });

async function allReady(stage: Stage): Promise<void> {
  for (const { metadata, status } of await podsIn(stage)) {
    if (status?.conditions?.some(({ type }) => type === 'Ready')) continue;
    await stage.cluster.patch(
      'Pod',
      { name: metadata.name, namespace: 'default' },
      { type: 'merge', value: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } },
      { subresource: 'status' },
    );
  }
}

test('a Deployment creates a ReplicaSet with the template’s hash, and that its pods, within a tenth of a second', async () => {
  await onStage(workloads, [objects.deployment(2)], async (stage) => {
    const seconds = await stage.until(async () => (await podsIn(stage)).length === 2);
    assert.ok(seconds > 0.01 && seconds < 0.15, `${seconds} s`);
    const [set] = await stage.cluster.list('ReplicaSet');
    const hash = set?.metadata.labels?.['pod-template-hash'] ?? '';
    assert.match(hash, /^[bcdfghjklmnpqrstvwxz2456789]{8,10}$/);
    assert.equal(set?.metadata.name, `nginx-test-${hash}`);
    for (const pod of await podsIn(stage)) {
      assert.match(pod.metadata.name, new RegExp(`^nginx-test-${hash}-[a-z0-9]{5}$`));
      assert.deepEqual(pod.metadata.ownerReferences?.[0]?.uid, set?.metadata.uid);
    }
  });
});

test('the status counts ready pods; Available is True when at most maxUnavailable are missing', async () => {
  await onStage(workloads, [objects.deployment(2)], async (stage) => {
    await stage.until(async () => (await podsIn(stage)).length === 2);
    const available = async () => (await stage.cluster.get('Deployment', name))?.status;
    assert.equal((await available())?.conditions?.find(({ type }) => type === 'Available')?.status, 'False');
    await allReady(stage);
    await stage.until(async () => (await available())?.availableReplicas === 2);
    assert.equal((await available())?.conditions?.find(({ type }) => type === 'Available')?.status, 'True');
  });
});

test('a deleted pod is replaced at once, while it is still terminating', async () => {
  await onStage(workloads, [objects.deployment(1)], async (stage) => {
    await stage.until(async () => (await podsIn(stage)).length === 1);
    const [pod] = await podsIn(stage);
    await stage.cluster.patch(
      'Pod',
      { name: pod?.metadata.name ?? '', namespace: 'default' },
      { type: 'merge', value: { spec: { nodeName: 'a' } } },
    );
    await stage.cluster.delete('Pod', { name: pod?.metadata.name ?? '', namespace: 'default' });
    const seconds = await stage.until(async () => active(await podsIn(stage)).length === 1);
    assert.ok(seconds <= 0.06, `${seconds} s`);
    assert.equal((await podsIn(stage)).length, 2);
  });
});

test('scaling down deletes surplus pods, scaling up creates missing ones', async () => {
  await onStage(workloads, [objects.deployment(5)], async (stage) => {
    await stage.until(async () => (await podsIn(stage)).length === 5);
    await scale(stage, 1);
    await stage.until(async () => (await podsIn(stage)).length === 1);
    await scale(stage, 3);
    await stage.until(async () => (await podsIn(stage)).length === 3);
    await stage.clock.sleep(5);
    assert.equal((await podsIn(stage)).length, 3);
  });
});

test('surplus pods are deleted one after another, longer apart than an EndpointSlice needs', async () => {
  await onStage(workloads, [objects.deployment(4)], async (stage) => {
    await stage.until(async () => (await podsIn(stage)).length === 4);
    await scale(stage, 1);
    const left = async () => active(await podsIn(stage)).length;
    const seconds: number[] = [];
    for (const count of [3, 2, 1]) seconds.push(await stage.until(async () => (await left()) === count));
    assert.ok(
      seconds.slice(1).every((one) => one >= delays.endpointSlice.seconds[1] - 0.011),
      `${seconds} s`,
    );
  });
});

test('a new template is rolled out within maxSurge and maxUnavailable, until the old set has no replicas', async () => {
  await onStage(workloads, [objects.deployment(4)], async (stage) => {
    await stage.until(async () => (await podsIn(stage)).length === 4);
    await allReady(stage);
    await stage.clock.sleep(1);
    const value = { spec: { template: { metadata: { annotations: { version: '2' } } } } };
    await stage.cluster.patch('Deployment', name, { type: 'merge', value });
    let most = 0;
    let leastReady = 4;
    await stage.until(async () => {
      const pods = active(await podsIn(stage));
      const sets = await stage.cluster.list('ReplicaSet');
      most = Math.max(
        most,
        sets.reduce((sum, { spec }) => sum + (spec.replicas ?? 1), 0),
      );
      leastReady = Math.min(leastReady, pods.filter(({ status }) => status?.phase === 'Running').length);
      if (stage.clock.wallAt() % 1000 < 10) await allReady(stage);
      const [old] = (await stage.cluster.list('ReplicaSet')).filter(({ spec }) => spec.replicas === 0);
      return (
        old !== undefined && pods.length === 4 && pods.every(({ metadata }) => metadata.annotations?.version === '2')
      );
    });
    assert.ok(most <= 5, `${most} replicas wanted at once`);
    assert.ok(leastReady >= 3, `${leastReady} ready`);
  });
});

test('dependents of a deleted Deployment are deleted', async () => {
  await onStage(workloads, [objects.deployment(2)], async (stage) => {
    await stage.until(async () => (await podsIn(stage)).length === 2);
    await stage.cluster.delete('Deployment', name);
    await stage.until(async () => (await podsIn(stage)).length === 0);
    assert.deepEqual(await stage.cluster.list('ReplicaSet'), []);
  });
});

test('surplus pods are deleted in order: without a node, not ready, with other pods of the set on the node, newer', () => {
  const on = (pod: string, nodeName?: string, ready = true): Pod => {
    const made = objects.pod(pod, nodeName === undefined ? {} : { nodeName }, { ready });
    return {
      ...made,
      metadata: {
        ...made.metadata,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 's', uid: 's', controller: true }],
      },
    };
  };
  const pods = [on('alone', 'a'), on('beside-1', 'b'), on('beside-2', 'b'), on('unready', 'c', false), on('waiting')];
  const cache = { podsOn: (nodeName: string) => pods.filter(({ spec }) => spec.nodeName === nodeName) };
  const order = deletionOrder(pods, { cache: cache as never }).map(({ metadata }) => metadata.name);
  assert.deepEqual(order, ['waiting', 'unready', 'beside-1', 'beside-2', 'alone']);
});
