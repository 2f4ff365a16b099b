import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduler } from '../../src/controllers/scheduler.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

test('a pod is bound within 0.11 s, and its condition PodScheduled becomes True', async () => {
  await onStage([scheduler({ packs: false })], [objects.node('a'), objects.pod('p')], async ({ cluster, until }) => {
    const pod = () => cluster.get('Pod', { name: 'p', namespace: 'default' });
    const seconds = await until(async () => (await pod())?.spec.nodeName === 'a');
    assert.ok(seconds >= 0.01 && seconds <= 0.11, `${seconds} s`);
    assert.equal((await pod())?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.status, 'True');
  });
});

test('a pod that fits no node is Unschedulable, with kube-scheduler’s message, until a node comes that fits', async () => {
  const waiting = objects.pod('p', { nodeSelector: { role: 'web' } });
  await onStage([scheduler({ packs: false })], [objects.node('a'), waiting], async ({ cluster, until }) => {
    const condition = async () =>
      (await cluster.get('Pod', { name: 'p', namespace: 'default' }))?.status?.conditions?.find(
        ({ type }) => type === 'PodScheduled',
      );
    await until(async () => (await condition())?.reason === 'Unschedulable');
    assert.equal(
      (await condition())?.message,
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    );
    await cluster.create(objects.node('web', { labels: { role: 'web' } }));
    await cluster.patch(
      'Node',
      { name: 'web' },
      { type: 'merge', value: { status: { allocatable: { cpu: '1', memory: '1Gi', pods: '8' } } } },
      { subresource: 'status' },
    );
    await until(async () => (await condition())?.status === 'True');
  });
});

const zone = 'topology.kubernetes.io/zone';
const nodes = [
  objects.node('a', { labels: { [zone]: 'z1' } }),
  objects.node('b', { labels: { [zone]: 'z1' } }),
  objects.node('c', { labels: { [zone]: 'z2' } }),
];
const term = { topologyKey: zone, labelSelector: { matchLabels: { app: 'nginx-test' } } };
const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
const zonal = objects.pod('on-a', { nodeName: 'a', affinity: { podAntiAffinity } }, { ready: true });

test('a pod with anti-affinity over zones keeps other pods out of its whole zone', async () => {
  await onStage([scheduler({ packs: false })], [...nodes, zonal], async (stage) => {
    for (const name of ['p', 'q', 'r']) {
      await stage.cluster.create(objects.pod(name));
      const at = { name, namespace: 'default' };
      await stage.until(async () => (await stage.cluster.get('Pod', at))?.spec.nodeName === 'c');
    }
  });
});

test('pods of another scheduler and pods with a scheduling gate are left alone', async () => {
  const gated = objects.pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] });
  const foreign = objects.pod('foreign', { schedulerName: 'other' });
  await onStage([scheduler({ packs: false })], [objects.node('a'), gated, foreign], async (stage) => {
    await stage.clock.sleep(5);
    for (const { metadata, spec, status } of await stage.cluster.list('Pod')) {
      assert.equal(spec.nodeName, undefined);
      // kube-apiserver itself says of a gated pod that it waits, when it is created.
      const reasons = status?.conditions?.map(({ reason }) => reason);
      assert.deepEqual(reasons, metadata.name === 'gated' ? ['SchedulingGated'] : undefined);
    }
  });
});
