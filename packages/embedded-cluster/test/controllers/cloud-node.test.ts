import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloudNode, cloudNodeLifecycle } from '../../src/controllers/cloud-node.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const ready = async ({ cluster }: Stage) =>
  (await cluster.get('Node', { name: 'a' }))?.status?.conditions?.find(({ type }) => type === 'Ready');

const taintsOf = async ({ cluster }: Stage) =>
  ((await cluster.get('Node', { name: 'a' }))?.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);

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

test('a new node gets its cloud labels and loses the uninitialized taint', async () => {
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

test('a Node is deleted when it is not Ready and its instance is terminated, not before', async () => {
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
