import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Namespace } from '../../../src/cluster/resources.ts';
import { garbageCollector } from '../../../src/rehearsal/controllers/garbage-collector.ts';
import { namespace } from '../../../src/rehearsal/controllers/namespace.ts';
import { deployment } from '../../../src/rehearsal/workloads/deployment.ts';
import { replicaSet } from '../../../src/rehearsal/workloads/replica-set.ts';
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
    // The controller looks again after half of the grace period of 30 s and a second.
    assert.ok(seconds > 13 && seconds <= 15.1, `${seconds} s`);
    assert.deepEqual(await all(stage), { deployments: 0, sets: 0, pods: 1 });
  });
});
