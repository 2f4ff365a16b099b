import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbageCollector } from '../../src/controllers/garbage-collector.ts';
import { namespace } from '../../src/controllers/namespace.ts';
import { deployment } from '../../src/workloads/deployment.ts';
import { replicaSet } from '../../src/workloads/replica-set.ts';
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

test('foreground deletion removes the pods first, then their ReplicaSet, then the Deployment', async () => {
  await onStage(workloads, [objects.deployment(2)], async (stage) => {
    await running(stage);
    await stage.cluster.delete('Deployment', name, { propagationPolicy: 'Foreground' });
    await stage.until(async () =>
      (await stage.cluster.list('Pod')).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    assert.deepEqual(await all(stage), { deployments: 1, sets: 1, pods: 2 }, 'until the pods’ grace period is over');
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

test('orphaned ReplicaSets lose their owner reference, and a new Deployment adopts them', async () => {
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

test('foreground deletion removes an object without dependents at once', async () => {
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
