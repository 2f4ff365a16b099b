import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseOf } from '../../src/controllers/kubelet-lease.ts';
import { nodeMonitor, nodeTaints } from '../../src/controllers/node-lifecycle.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const at = (name: string) => ({ name, namespace: 'default' });

const ready = async ({ cluster }: Stage) =>
  (await cluster.get('Node', { name: 'a' }))?.status?.conditions?.find(({ type }) => type === 'Ready');

const taintsOf = async ({ cluster }: Stage) =>
  ((await cluster.get('Node', { name: 'a' }))?.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);

const podReady = async ({ cluster }: Stage) =>
  (await cluster.get('Pod', at('p')))?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;

test('a node whose Lease is not renewed is Unknown after 50 to 55 seconds, and its pods are not ready at once', async () => {
  const before = [objects.node('a'), objects.pod('p', { nodeName: 'a' }, { ready: true })];
  await onStage([nodeMonitor, nodeTaints], before, async (stage) => {
    const node = await stage.cluster.get('Node', { name: 'a' });
    if (node !== undefined) await stage.cluster.create(leaseOf(node, stage.clock.wallAt()));
    const seconds = await stage.until(async () => (await ready(stage))?.status === 'Unknown');
    assert.ok(seconds >= 50 && seconds <= 55.1, `${seconds} s`);
    assert.equal((await ready(stage))?.reason, 'NodeStatusUnknown');
    const after = await stage.until(async () => (await podReady(stage)) === 'False');
    assert.ok(after <= 0.06, `${after} s`);
    assert.deepEqual(await taintsOf(stage), [
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
  });
});

test('a cordon adds the unschedulable taint and an uncordon removes it; other taints stay', async () => {
  const mine = { key: 'mine', effect: 'NoSchedule' } as const;
  await onStage([nodeTaints], [objects.node('a', { spec: { taints: [mine] } })], async (stage) => {
    const cordon = (unschedulable: boolean) =>
      stage.cluster.patch('Node', { name: 'a' }, { type: 'strategic', value: { spec: { unschedulable } } });
    await cordon(true);
    await stage.until(async () => (await taintsOf(stage)).includes('node.kubernetes.io/unschedulable:NoSchedule'));
    await cordon(false);
    await stage.until(async () => (await taintsOf(stage)).length === 1);
    assert.deepEqual(await taintsOf(stage), ['mine:NoSchedule']);
  });
});
