import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taintEviction } from '../../src/controllers/taint-eviction.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const at = (name: string) => ({ name, namespace: 'default' });

test('a pod is evicted from an unreachable node after its toleration of five minutes, without a toleration at once', async () => {
  const taints = [
    { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' },
  ] as const;
  const pod = objects.pod('p', { nodeName: 'a' });
  await onStage([taintEviction()], [objects.node('a', { spec: { taints } }), pod], async (stage) => {
    const isEvicted = async () => {
      const pod = await stage.cluster.get('Pod', at('p'));
      return pod === undefined || pod.metadata.deletionTimestamp !== undefined;
    };
    const seconds = await stage.until(isEvicted);
    assert.ok(seconds >= 300 && seconds < 300.1, `${seconds} s`);
  });
  const other = [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] as const;
  await onStage([taintEviction()], [objects.node('a', { spec: { taints: other } }), pod], async (stage) => {
    const seconds = await stage.until(
      async () => (await stage.cluster.get('Pod', at('p')))?.metadata.deletionTimestamp !== undefined,
    );
    assert.ok(seconds < 0.1, `${seconds} s`);
  });
});

test('a toleration runs from the moment of the taint, and a taint that is removed evicts no pod', async () => {
  const tolerations = [{ key: 'mine', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }] as const;
  const tolerant = objects.pod('p', { nodeName: 'a', tolerations });
  await onStage(
    [taintEviction()],
    [objects.node('a'), tolerant, objects.pod('q', { nodeName: 'a' })],
    async (stage) => {
      await stage.clock.sleep(100);
      const taint = (taints: readonly object[]) =>
        stage.cluster.patch('Node', { name: 'a' }, { type: 'merge', value: { spec: { taints } } });
      const isEvicted = async (name: string) =>
        (await stage.cluster.get('Pod', at(name)))?.metadata.deletionTimestamp !== undefined;
      await taint([{ key: 'mine', effect: 'NoExecute' }]);
      await stage.clock.sleep(40);
      assert.deepEqual([await isEvicted('p'), await isEvicted('q')], [false, true]);
      await taint([]);
      await stage.clock.sleep(40);
      assert.equal(await isEvicted('p'), false);
      await taint([{ key: 'mine', effect: 'NoExecute' }]);
      const seconds = await stage.until(() => isEvicted('p'));
      assert.ok(seconds >= 60 && seconds < 60.2, `${seconds} s`);
    },
  );
});

test('a pod of a Job that a taint evicts has the condition DisruptionTarget', async () => {
  const taints = [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] as const;
  const pod = objects.pod('p', { nodeName: 'a' });
  const tracked = { ...pod, metadata: { ...pod.metadata, finalizers: ['batch.kubernetes.io/job-tracking'] } };
  await onStage([taintEviction()], [objects.node('a', { spec: { taints } }), tracked], async (stage) => {
    const read = async () => stage.cluster.get('Pod', at('p'));
    await stage.until(async () => (await read())?.metadata.deletionTimestamp !== undefined);
    const { conditions = [] } = (await read())?.status ?? {};
    assert.equal(conditions.find(({ type }) => type === 'DisruptionTarget')?.reason, 'DeletionByTaintManager');
  });
});
