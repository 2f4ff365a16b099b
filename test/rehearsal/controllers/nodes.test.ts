import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloudNode, cloudNodeLifecycle } from '../../../src/rehearsal/controllers/cloud-node.ts';
import { leaseOf } from '../../../src/rehearsal/controllers/kubelet-lease.ts';
import { nodeMonitor, nodeTaints } from '../../../src/rehearsal/controllers/node-lifecycle.ts';
import { podGc } from '../../../src/rehearsal/controllers/pod-gc.ts';
import { taintEviction } from '../../../src/rehearsal/controllers/taint-eviction.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const at = (name: string) => ({ name, namespace: 'default' });
const ready = async ({ cluster }: Stage) =>
  (await cluster.get('Node', { name: 'a' }))?.status?.conditions?.find(({ type }) => type === 'Ready');
const taintsOf = async ({ cluster }: Stage) =>
  ((await cluster.get('Node', { name: 'a' }))?.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
const podReady = async ({ cluster }: Stage) =>
  (await cluster.get('Pod', at('p')))?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;

test('a node whose lease is not renewed is Unknown after 50 to 55 seconds; its pods are not ready at once', async () => {
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

test('a cordon is a taint, and its end takes it away; taints of others stay', async () => {
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

test('a pod stays on an unreachable node for its five minutes, and one that tolerates nothing goes at once', async () => {
  const taints = [
    { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' },
  ] as const;
  const stays = objects.pod('p', { nodeName: 'a' });
  await onStage([taintEviction()], [objects.node('a', { spec: { taints } }), stays], async (stage) => {
    const isLeaving = async () => {
      const pod = await stage.cluster.get('Pod', at('p'));
      return pod === undefined || pod.metadata.deletionTimestamp !== undefined;
    };
    const seconds = await stage.until(isLeaving);
    assert.ok(seconds >= 300 && seconds < 300.1, `${seconds} s`);
  });
  const other = [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] as const;
  await onStage([taintEviction()], [objects.node('a', { spec: { taints: other } }), stays], async (stage) => {
    const seconds = await stage.until(
      async () => (await stage.cluster.get('Pod', at('p')))?.metadata.deletionTimestamp !== undefined,
    );
    assert.ok(seconds < 0.1, `${seconds} s`);
  });
});

test('a taint of one’s own counts from when it was put there, and one that is taken away again drives nobody away', async () => {
  const tolerations = [{ key: 'mine', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }] as const;
  const patient = objects.pod('p', { nodeName: 'a', tolerations });
  await onStage([taintEviction()], [objects.node('a'), patient, objects.pod('q', { nodeName: 'a' })], async (stage) => {
    await stage.clock.sleep(100);
    const taint = (taints: readonly object[]) =>
      stage.cluster.patch('Node', { name: 'a' }, { type: 'merge', value: { spec: { taints } } });
    const leaving = async (name: string) =>
      (await stage.cluster.get('Pod', at(name)))?.metadata.deletionTimestamp !== undefined;
    await taint([{ key: 'mine', effect: 'NoExecute' }]);
    await stage.clock.sleep(40);
    assert.deepEqual([await leaving('p'), await leaving('q')], [false, true]);
    await taint([]);
    await stage.clock.sleep(40);
    assert.equal(await leaving('p'), false);
    await taint([{ key: 'mine', effect: 'NoExecute' }]);
    const seconds = await stage.until(() => leaving('p'));
    assert.ok(seconds >= 60 && seconds < 60.2, `${seconds} s`);
  });
});

test('pods of a node that is gone are removed after 40 to 80 seconds', async () => {
  await onStage([podGc()], [objects.pod('p', { nodeName: 'gone' }, { ready: true })], async (stage) => {
    const seconds = await stage.until(async () => (await stage.cluster.get('Pod', at('p'))) === undefined);
    assert.ok(seconds >= 40 && seconds <= 80.1, `${seconds} s`);
  });
});

const launchRequest = {
  type: 'r8g.large',
  zone: 'us-east-1b',
  capacityType: 'on-demand',
  labels: {},
  taints: [],
  tags: {},
  bootedWithImages: [],
} as const;
const uninitialized = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
} as const;

test('the cloud labels a new node and lets it be used', async () => {
  await onStage(
    (machines) => [cloudNode(machines)],
    [],
    async (stage) => {
      const { id } = stage.machines.launch(launchRequest);
      const spec = { providerID: `aws:///us-east-1b/${id}`, taints: [uninitialized] };
      await stage.cluster.create(objects.node('a', { spec }));
      const seconds = await stage.until(async () => (await taintsOf(stage)).length === 0);
      assert.ok(seconds > 0.19 && seconds < 1.1, `${seconds} s`);
      const labels = (await stage.cluster.get('Node', { name: 'a' }))?.metadata.labels;
      assert.equal(labels?.['topology.kubernetes.io/zone'], 'us-east-1b');
      assert.equal(labels?.['node.kubernetes.io/instance-type'], 'r8g.large');
    },
  );
});

test('a Node goes when it is not Ready and its instance is terminated, and not before', async () => {
  await onStage(
    (machines) => [cloudNodeLifecycle(machines)],
    [],
    async (stage) => {
      const { id } = stage.machines.launch(launchRequest);
      await stage.cluster.create(objects.node('a', { spec: { providerID: `aws:///us-east-1b/${id}` } }));
      stage.machines.terminate(id);
      await stage.clock.sleep(100);
      assert.equal((await ready(stage))?.status, 'True');
      const notReady = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
      await stage.cluster.patch('Node', { name: 'a' }, { type: 'merge', value: notReady }, { subresource: 'status' });
      const seconds = await stage.until(async () => (await stage.cluster.get('Node', { name: 'a' })) === undefined);
      assert.ok(seconds <= 5.1, `${seconds} s`);
    },
  );
});
