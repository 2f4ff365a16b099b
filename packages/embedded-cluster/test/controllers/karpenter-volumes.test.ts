import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeletVolumes } from '../../src/controllers/kubelet-volumes.ts';
import { taintEviction } from '../../src/controllers/taint-eviction.ts';
import type { NodePool } from '../../src/kubernetes/autoscaler.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import type { Machines } from '../../src/machines/machines.ts';
import { attachDetach } from '../../src/storage/attach-detach.ts';
import { volumeAttacher, volumeDetacher } from '../../src/storage/volume-attacher.ts';
import { volumeBinder } from '../../src/storage/volume-binder.ts';
import { volumeProvisioner } from '../../src/storage/volume-provisioner.ts';
import { statefulSet } from '../../src/workloads/stateful-set.ts';
import { claims, condition, eventsAbout, everything, theNodeClass } from '../support/autoscaled.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';
import { claim, podWith, statefulSetOf, storageClass, volumeIn, zoneLabel } from '../support/with-volumes.ts';

const all = (machines: Machines) => [
  ...everything(machines),
  statefulSet,
  taintEviction(),
  volumeBinder(),
  volumeProvisioner,
  attachDetach(),
  volumeAttacher,
  volumeDetacher,
  kubeletVolumes(machines),
];
const c = 'us-east-1c';
const before: readonly Resource[] = [theNodeClass, objects.nodePool, storageClass('gp3', {}, true)];
const web = { nodeSelector: { role: 'web' } };

const zonesOf = async ({ cluster }: Stage) =>
  (await cluster.list('Node')).map(({ metadata }) => metadata.labels?.[zoneLabel]);
const isReady = async ({ cluster }: Stage, name: string) =>
  condition(await cluster.get('Pod', { name, namespace: 'default' }), 'Ready')?.status === 'True';

test('a new node is made in the zone of the pod’s volume', async () => {
  const there = [
    volumeIn(c, 'v'),
    claim('far', { storageClassName: 'fast', volumeName: 'v' }),
    podWith('p', 'far', web),
  ];
  await onStage(all, [...before, ...there], async (stage) => {
    await stage.until(() => isReady(stage, 'p'));
    assert.deepEqual(await zonesOf(stage), [c]);
  });
});

test('a new node is made in a zone in which the class of an unbound claim allows volumes', async () => {
  const allowedTopologies = [{ matchLabelExpressions: [{ key: zoneLabel, values: [c] }] }];
  const there = [storageClass('only-c', { allowedTopologies }), claim('data', { storageClassName: 'only-c' })];
  await onStage(all, [...before, ...there, podWith('p', 'data', web)], async (stage) => {
    await stage.until(() => isReady(stage, 'p'));
    assert.deepEqual(await zonesOf(stage), [c]);
  });
});

test('no node is made for a pod whose claim is not there', async () => {
  await onStage(all, [...before, podWith('p', 'nothing', web)], async (stage) => {
    await stage.clock.sleep(120);
    assert.deepEqual(await claims(stage), []);
  });
});

test('a node of one pod is replaced in the zone of its volume', async () => {
  await onStage(all, [...before, statefulSetOf(1, web)], async (stage) => {
    await stage.until(() => isReady(stage, 'db-0'));
    const [zone] = await zonesOf(stage);
    const [first] = await claims(stage);
    await stage.cluster.delete('NodeClaim', { name: first?.metadata.name ?? '' });
    await stage.until(async () => {
      const nodes = await stage.cluster.list('Node');
      return (
        nodes.length === 1 && nodes[0]?.metadata.name !== first?.status?.nodeName && (await isReady(stage, 'db-0'))
      );
    });
    assert.deepEqual(await zonesOf(stage), [zone]);
  });
});

/** Without what detaches volumes. */
const stuck = (machines: Machines) => all(machines).filter(({ name }) => name !== 'volume-detacher');

test('a machine is terminated when the volumes of its drained pods are detached, with the condition VolumesDetached', async () => {
  await onStage(stuck, [...before, statefulSetOf(1, web)], async (stage) => {
    await stage.until(() => isReady(stage, 'db-0'));
    const [first] = await claims(stage);
    const name = first?.metadata.name ?? '';
    const detached = async () =>
      condition(
        (await claims(stage)).find(({ metadata }) => metadata.name === name),
        'VolumesDetached',
      );
    await stage.cluster.delete('NodeClaim', { name });
    await stage.until(async () => (await detached())?.reason === 'AwaitingVolumeDetachment');
    const instance = [...stage.machines.instances()][0];
    assert.equal(stage.machines.instance(instance?.id ?? '')?.terminateAskedAt, undefined);
    const [attachment] = await stage.cluster.list('VolumeAttachment');
    const at = { name: attachment?.metadata.name ?? '' };
    await stage.cluster.patch('VolumeAttachment', at, { type: 'merge', value: { metadata: { finalizers: [] } } });
    await stage.until(async () => (await detached())?.status === 'True');
    assert.ok(
      (await eventsAbout(stage, first?.status?.nodeName ?? '')).includes(
        `AwaitingVolumeDetachment: Awaiting deletion of bound volumeattachments (${attachment?.metadata.name})`,
      ),
    );
    const left = (await stage.cluster.list('VolumeAttachment')).filter(
      ({ spec }) => spec.nodeName === first?.status?.nodeName,
    );
    assert.deepEqual(left, []);
  });
});

test('past the terminationGracePeriod a machine does not wait for its volumes', async () => {
  const { spec } = objects.nodePool;
  const template = { ...spec.template, spec: { ...spec.template.spec, terminationGracePeriod: '60s' } };
  const pool: NodePool = { ...objects.nodePool, spec: { ...spec, template } };
  const there = [theNodeClass, pool, storageClass('gp3', {}, true), statefulSetOf(1, web)];
  await onStage(stuck, there, async (stage) => {
    await stage.until(() => isReady(stage, 'db-0'));
    const [first] = await claims(stage);
    const name = first?.metadata.name ?? '';
    await stage.cluster.delete('NodeClaim', { name });
    const found = async () => (await claims(stage)).find(({ metadata }) => metadata.name === name);
    const seconds = await stage.until(
      async () => condition(await found(), 'VolumesDetached')?.reason === 'TerminationGracePeriodElapsed',
    );
    assert.ok(seconds >= 59 && seconds < 63, `${seconds} s`);
    await stage.until(async () => (await found()) === undefined);
  });
});
