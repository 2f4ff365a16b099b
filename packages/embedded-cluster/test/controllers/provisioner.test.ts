import assert from 'node:assert/strict';
import { test } from 'node:test';
import { before, claims, condition, everything, patchPool, pool, theNodeClass } from '../support/autoscaled.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const poolIsReady = (stage: Stage) => stage.until(async () => condition(await pool(stage), 'Ready')?.status === 'True');
/** So much that a machine of two processors holds one of them. */
const large = (name: string) => {
  const [container] = objects.pod(name).spec.containers;
  assert.ok(container);
  return objects.pod(name, {
    nodeSelector: { role: 'web' },
    containers: [{ ...container, resources: { requests: { cpu: '1500m' } } }],
  });
};
const claimCount = (stage: Stage, count: number) => stage.until(async () => (await claims(stage)).length === count);

test('a pod that no pool could hold is looked at again after 10 s, and not when a pool changes', () => {
  const full = { ...objects.nodePool, spec: { ...objects.nodePool.spec, limits: { cpu: '1' } } };
  return onStage(everything, [theNodeClass, full], async (stage) => {
    await poolIsReady(stage);
    await stage.cluster.create(large('p'));
    await stage.clock.sleep(12);
    assert.equal((await claims(stage)).length, 0);
    await patchPool(stage, { spec: { limits: { cpu: '100' } } });
    const seconds = await claimCount(stage, 1);
    assert.ok(seconds > 8.9 && seconds < 9.4, `looked at after 20 s, and a batch of 1 s: ${seconds} s`);
  });
});

test('a batch is forgotten while a machine is not launched yet: the pod of the next one waits until one is looked at again', () =>
  onStage(everything, before, async (stage) => {
    await poolIsReady(stage);
    await stage.cluster.create(large('first'));
    await claimCount(stage, 1);
    await stage.cluster.create(large('second'));
    const seconds = await claimCount(stage, 2);
    // The first one, which waits for its machine, is looked at again 1 s before the second one is: both are in its
    // batch.
    assert.ok(seconds > 9.8 && seconds < 10.3, `${seconds} s`);
  }));

test('once the first machine is launched, the next pod has its claim after a batch', () =>
  onStage(everything, before, async (stage) => {
    await poolIsReady(stage);
    await stage.cluster.create(large('first'));
    await stage.until(async () => (await claims(stage))[0]?.status?.providerID !== undefined);
    await stage.cluster.create(large('second'));
    const seconds = await claimCount(stage, 2);
    assert.ok(seconds > 0.9 && seconds < 1.4, `${seconds} s`);
  }));

test('EC2 is asked every 5 s whether a terminated instance is gone, and the Node stays until then', () =>
  onStage(everything, before, async (stage) => {
    await poolIsReady(stage);
    await stage.cluster.create(large('p'));
    await stage.until(async () => condition((await claims(stage))[0], 'Initialized')?.status === 'True');
    await stage.cluster.delete('Pod', { name: 'p', namespace: 'default' });
    const [claim] = await claims(stage);
    await stage.cluster.delete('NodeClaim', { name: claim?.metadata.name ?? '' });
    await stage.until(async () => condition((await claims(stage))[0], 'InstanceTerminating')?.status === 'True');
    const seconds = await stage.until(async () => (await stage.cluster.list('Node')).length === 0);
    const beyond = seconds % 5;
    assert.ok(seconds > 20 && (beyond < 0.7 || beyond > 4.9), `${seconds} s`);
  }));
