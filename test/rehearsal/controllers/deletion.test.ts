import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Namespace } from '../../../src/cluster/resources.ts';
import { deployment } from '../../../src/rehearsal/controllers/deployment.ts';
import { garbageCollector } from '../../../src/rehearsal/controllers/garbage-collector.ts';
import { namespace } from '../../../src/rehearsal/controllers/namespace.ts';
import { replicaSet } from '../../../src/rehearsal/controllers/replica-set.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const workloads = [deployment, replicaSet, garbageCollector, namespace];
const name = { name: 'nginx-test', namespace: 'default' };

const all = async ({ cluster }: Stage) => ({
  deployments: (await cluster.list('Deployment')).length,
  sets: (await cluster.list('ReplicaSet')).length,
  pods: (await cluster.list('Pod')).length,
});

async function running(stage: Stage): Promise<void> {
  await stage.until(async () => (await all(stage)).pods === 2);
  for (const { metadata } of await stage.cluster.list('Pod')) {
    const at = { name: metadata.name, namespace: 'default' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
  }
}

test('in the foreground an owner goes last: pods, then their ReplicaSet, then the Deployment', async () => {
  await onStage(workloads, [objects.deployment(2)], async (stage) => {
    await running(stage);
    await stage.cluster.delete('Deployment', name, { propagationPolicy: 'Foreground' });
    await stage.until(async () =>
      (await stage.cluster.list('Pod')).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    assert.deepEqual(await all(stage), { deployments: 1, sets: 1, pods: 2 }, 'their grace period is awaited');
    const held = (await stage.cluster.get('Deployment', name))?.metadata;
    assert.deepEqual(held?.finalizers, ['foregroundDeletion']);
    for (const { metadata } of await stage.cluster.list('Pod')) {
      const at = { name: metadata.name, namespace: 'default' };
      await stage.cluster.delete('Pod', at, { gracePeriodSeconds: 0 });
    }
    const seconds = await stage.until(async () => (await all(stage)).deployments === 0);
    assert.ok(seconds < 0.5, `${seconds} s`);
    assert.deepEqual(await all(stage), { deployments: 0, sets: 0, pods: 0 });
  });
});

test('orphans stay and name no owner any more, and a new owner of theirs adopts them', async () => {
  await onStage(workloads, [objects.deployment(2)], async (stage) => {
    await running(stage);
    const uids = async () => (await stage.cluster.list('Pod')).map(({ metadata }) => metadata.uid).sort();
    const before = await uids();
    await stage.cluster.delete('Deployment', name, { propagationPolicy: 'Orphan' });
    await stage.until(async () => (await all(stage)).deployments === 0);
    await stage.clock.sleep(1);
    assert.deepEqual(await all(stage), { deployments: 0, sets: 1, pods: 2 });
    assert.deepEqual((await stage.cluster.list('ReplicaSet'))[0]?.metadata.ownerReferences, []);
    await stage.cluster.create(objects.deployment(2));
    await stage.clock.sleep(3);
    assert.deepEqual(await all(stage), { deployments: 1, sets: 1, pods: 2 });
    assert.deepEqual(await uids(), before);
    const [set] = await stage.cluster.list('ReplicaSet');
    assert.equal(set?.metadata.ownerReferences?.[0]?.name, 'nginx-test');
  });
});

test('what owns nothing is not held by a deletion in the foreground', async () => {
  await onStage(workloads, [objects.budget, objects.ingress, objects.pod('alone')], async (stage) => {
    const options = { propagationPolicy: 'Foreground' } as const;
    await stage.cluster.delete('PodDisruptionBudget', { name: 'nginx-pdb', namespace: 'default' }, options);
    await stage.cluster.delete('Ingress', name, options);
    await stage.cluster.delete('Pod', { name: 'alone', namespace: 'default' }, options);
    await stage.clock.sleep(1);
    for (const kind of ['PodDisruptionBudget', 'Ingress', 'Pod'] as const)
      assert.deepEqual(await stage.cluster.list(kind), [], kind);
  });
});

test('a deleted namespace is Terminating until everything in it is gone, and takes nothing new', async () => {
  const shop: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const moved = { ...objects.deployment(2), metadata: { name: 'nginx-test', namespace: 'shop' } };
  const budget = { ...objects.budget, metadata: { name: 'nginx-pdb', namespace: 'shop' } };
  await onStage(workloads, [shop, moved, budget, objects.pod('elsewhere')], async (stage) => {
    await stage.until(async () => (await all(stage)).pods === 3);
    const [inside] = await stage.cluster.list('Pod', { namespace: 'shop' });
    const at = { name: inside?.metadata.name ?? '', namespace: 'shop' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    await stage.cluster.delete('Namespace', { name: 'shop' });
    await stage.clock.sleep(3);
    assert.equal((await stage.cluster.get('Namespace', { name: 'shop' }))?.status?.phase, 'Terminating');
    assert.equal((await stage.cluster.list('Pod', { namespace: 'shop' })).length, 1, 'its grace period is awaited');
    await assert.rejects(stage.cluster.create(budget), /because it is being terminated/);
    await stage.cluster.delete('Pod', at, { gracePeriodSeconds: 0 });
    const seconds = await stage.until(
      async () => (await stage.cluster.get('Namespace', { name: 'shop' })) === undefined,
    );
    assert.ok(seconds <= 1.1, `${seconds} s`);
    assert.deepEqual(await all(stage), { deployments: 0, sets: 0, pods: 1 });
  });
});
