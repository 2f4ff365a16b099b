import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbageCollector } from '../../src/controllers/garbage-collector.ts';
import { namespace } from '../../src/controllers/namespace.ts';
import type { Namespace } from '../../src/kubernetes/resources.ts';
import { deployment } from '../../src/workloads/deployment.ts';
import { replicaSet } from '../../src/workloads/replica-set.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const workloads = [deployment, replicaSet, garbageCollector, namespace];

const all = async ({ cluster }: Stage) => ({
  deployments: (await cluster.list('Deployment')).length,
  sets: (await cluster.list('ReplicaSet')).length,
  pods: (await cluster.list('Pod')).length,
});

test('a deleted namespace is Terminating until it is empty, and accepts no new objects', async () => {
  const shop: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const moved = { ...objects.deployment(2), metadata: { name: 'nginx-test', namespace: 'shop' } };
  const budget = { ...objects.budget, metadata: { name: 'nginx-pdb', namespace: 'shop' } };
  await onStage(workloads, [shop, moved, budget, objects.pod('elsewhere')], async (stage) => {
    await stage.until(async () => (await all(stage)).pods === 3);
    const [inside] = await stage.cluster.list('Pod', { namespace: 'shop' });
    const at = { name: inside?.metadata.name ?? '', namespace: 'shop' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    await stage.cluster.delete('Namespace', { name: 'shop' });
    await stage.clock.sleep(4);
    assert.equal((await all(stage)).pods, 3, 'nothing is touched for 5 s');
    await stage.clock.sleep(2);
    assert.equal((await stage.cluster.get('Namespace', { name: 'shop' }))?.status?.phase, 'Terminating');
    assert.equal(
      (await stage.cluster.list('Pod', { namespace: 'shop' })).length,
      1,
      'until the pod’s grace period is over',
    );
    await assert.rejects(stage.cluster.create(budget), /because it is being terminated/);
    await stage.cluster.delete('Pod', at, { gracePeriodSeconds: 0 });
    const seconds = await stage.until(
      async () => (await stage.cluster.get('Namespace', { name: 'shop' })) === undefined,
    );
    // The pass that deletes it all lasts 1.3 to 1.6 s, and finds nothing any more.
    assert.ok(seconds > 0.2 && seconds <= 0.7, `${seconds} s`);
    assert.deepEqual(await all(stage), { deployments: 0, sets: 0, pods: 1 });
  });
});

test('a namespace says what remains in it, and is looked at again after half of the grace period while that stays', async () => {
  const shop: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const inside = { ...objects.pod('inside'), metadata: { name: 'inside', namespace: 'shop' } };
  await onStage(workloads, [shop, inside], async (stage) => {
    const at = { name: 'inside', namespace: 'shop' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    await stage.cluster.delete('Namespace', { name: 'shop' });
    await stage.clock.sleep(12.5);
    const { status } = (await stage.cluster.get('Namespace', { name: 'shop' })) ?? {};
    const remaining = status?.conditions?.find(({ type }) => type === 'NamespaceContentRemaining');
    assert.equal(remaining?.message, 'Some resources are remaining: pods. has 1 resource instances');
    await stage.cluster.delete('Pod', at, { gracePeriodSeconds: 0 });
    const seconds = await stage.until(
      async () => (await stage.cluster.get('Namespace', { name: 'shop' })) === undefined,
    );
    // Looked at after 5 s, 6.5 s and 11.5 s, and then after 16 s more.
    assert.ok(seconds > 13.5 && seconds <= 16, `${seconds} s`);
  });
});
