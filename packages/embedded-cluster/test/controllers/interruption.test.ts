import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interruption } from '../../src/controllers/interruption.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const karpenter = (queue: string) => ({
  ...objects.deployment(0),
  metadata: { name: 'karpenter', namespace: 'kube-system' },
  spec: {
    ...objects.deployment(0).spec,
    template: {
      metadata: { labels: { app: 'nginx-test' } },
      spec: { containers: [{ name: 'c', image: 'karpenter', env: [{ name: 'INTERRUPTION_QUEUE', value: queue }] }] },
    },
  },
});

test('the claim of a terminated instance is deleted within seconds if there is an interruption queue, else not', async () => {
  for (const queue of ['rehearsal', '']) {
    await onStage(
      (machines) => [interruption(machines)],
      [karpenter(queue)],
      async ({ cluster, machines, clock }) => {
        const { id } = machines.launch({
          type: 'r8g.large',
          zone: 'us-east-1a',
          capacityType: 'on-demand',
          labels: {},
          taints: [],
          tags: {},
          bootedWithImages: [],
        });
        const { nodeClassRef } = objects.nodePool.spec.template.spec;
        await cluster.create({
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodeClaim',
          metadata: { name: 'c' },
          spec: { nodeClassRef, requirements: [] },
        });
        await cluster.patch(
          'NodeClaim',
          { name: 'c' },
          { type: 'merge', value: { status: { providerID: `aws:///z/${id}` } } },
          { subresource: 'status' },
        );
        machines.terminate(id);
        await clock.sleep(6);
        const claim = await cluster.get('NodeClaim', { name: 'c' });
        assert.equal(claim === undefined, queue !== '', `queue "${queue}"`);
        const reasons = (await cluster.list('Event')).map(({ reason }) => reason).sort();
        assert.deepEqual(reasons, queue === '' ? [] : ['InstanceTerminating', 'TerminatingOnInterruption']);
      },
    );
  }
});
