import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../src/kubernetes/resources.ts';
import { spreadZone } from '../../src/storage/new-volume.ts';
import { volumeBinder } from '../../src/storage/volume-binder.ts';
import { launchRequest } from '../support/on-machine.ts';
import { onStage, type Stage } from '../support/stage.ts';
import {
  claim,
  onMachinesIn,
  podWith,
  statefulSetOf,
  storageClass,
  volumeIn,
  zoneLabel,
} from '../support/with-volumes.ts';

const [a, b, c] = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const scheduled = (pod: Pod | undefined) => pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');

test('a claim of a class that waits is bound when a pod of it has a node, by a volume in the zone of that node', async () => {
  await onMachinesIn([a, b], [claim('data')], async ({ cluster, clock, until, claim: claimOf, pod, isReady }) => {
    await clock.sleep(60);
    assert.equal((await claimOf('data'))?.status?.phase, 'Pending', 'no pod uses it yet');
    assert.equal((await claimOf('data'))?.spec.storageClassName, 'gp3', 'it names no class');
    await cluster.create(podWith('p', 'data', { nodeSelector: { [zoneLabel]: b } }));
    const seconds = await until(async () => (await claimOf('data'))?.status?.phase === 'Bound');
    assert.ok(seconds > 1.5 && seconds < 5, `${seconds} s`);
    assert.equal((await pod('p'))?.spec.nodeName, undefined, 'the pod is bound after its claim');
    const [volume] = await cluster.list('PersistentVolume');
    assert.equal(volume?.metadata.name, (await claimOf('data'))?.spec.volumeName);
    assert.deepEqual(volume?.spec.nodeAffinity, volumeIn(b, '').spec.nodeAffinity);
    await until(async () => isReady('p'));
    assert.equal((await cluster.list('PersistentVolume'))[0]?.status?.phase, 'Bound');
  });
});

test('a claim of a class with Immediate is bound at once, and its pods go to the zone of its volume', async () => {
  const immediate = storageClass('now', { volumeBindingMode: 'Immediate' });
  const early = claim('early', { storageClassName: 'now' });
  await onMachinesIn([a, b, c], [], async ({ cluster, until, claim: claimOf, pod }) => {
    await cluster.create(immediate);
    await cluster.create(early);
    await cluster.create(podWith('p', 'early'));
    const unbound = 'pod has unbound immediate PersistentVolumeClaims';
    await until(async () => scheduled(await pod('p'))?.message === `0/3 nodes are available: ${unbound}.`);
    await until(async () => (await claimOf('early'))?.status?.phase === 'Bound');
    await until(async () => (await pod('p'))?.spec.nodeName !== undefined);
    const [volume] = await cluster.list('PersistentVolume');
    const node = await cluster.get('Node', { name: (await pod('p'))?.spec.nodeName ?? '' });
    assert.deepEqual(
      volume?.spec.nodeAffinity,
      volumeIn(node?.metadata.labels?.[zoneLabel] ?? '', '').spec.nodeAffinity,
    );
  });
});

test('the claims of a StatefulSet that wait for no pod are in one zone after the other', () => {
  const zones = [0, 1, 2, 3].map((ordinal) => spreadZone(`data-db-${ordinal}`, [c, a, b, a]));
  assert.deepEqual(new Set(zones.slice(0, 3)), new Set([a, b, c]));
  assert.equal(zones[3], zones[0]);
});

test('a pod whose claim is missing, of an unknown class, or in another zone stays Pending, with the words of kube-scheduler', async () => {
  const before = [
    volumeIn(c, 'elsewhere'),
    claim('far', { storageClassName: 'fast', volumeName: 'elsewhere' }),
    claim('strange', { storageClassName: 'nobody-knows' }),
    podWith('without', 'nothing'),
    podWith('of-strange', 'strange'),
    podWith('of-far', 'far'),
  ];
  await onMachinesIn([a, b], before, async ({ cluster, clock, pod }) => {
    await clock.sleep(30);
    for (const [name, words] of [
      ['without', 'persistentvolumeclaim "nothing" not found'],
      ['of-strange', 'pod has unbound immediate PersistentVolumeClaims'],
      ['of-far', '2 node(s) had volume node affinity conflict'],
    ] as const) {
      const condition = scheduled(await pod(name));
      assert.deepEqual(
        [condition?.reason, condition?.message],
        ['Unschedulable', `0/2 nodes are available: ${words}.`],
      );
    }
    const events = (await cluster.list('Event')).filter(({ reason }) => reason === 'ProvisioningFailed');
    assert.deepEqual(
      events.map(({ message }) => message),
      ['storageclass.storage.k8s.io "nobody-knows" not found'],
    );
  });
});

test('a pod that waits takes its node as soon as its claim is there', async () => {
  await onMachinesIn([a], [podWith('p', 'late')], async ({ cluster, clock, until, isReady }) => {
    await clock.sleep(30);
    await cluster.create(claim('late'));
    const seconds = await until(async () => isReady('p'));
    assert.ok(seconds < 30, `${seconds} s`);
  });
});

test('a volume that is there is taken before one is made: the smallest that is large enough, in reach of the node', async () => {
  const size = (storage: string) => ({ capacity: { storage }, storageClassName: 'gp3' });
  const before = [
    volumeIn(a, 'small', size('5Gi')),
    volumeIn(a, 'large', size('50Gi')),
    volumeIn(a, 'right', size('20Gi')),
    volumeIn(b, 'elsewhere', size('10Gi')),
    claim('data'),
    podWith('p', 'data', { nodeSelector: { [zoneLabel]: a } }),
  ];
  await onMachinesIn([a, b], before, async ({ cluster, until, claim: claimOf }) => {
    await until(async () => (await claimOf('data'))?.status?.phase === 'Bound');
    assert.equal((await claimOf('data'))?.spec.volumeName, 'right');
    assert.equal((await cluster.list('PersistentVolume')).length, 4);
  });
});

test('a volume that is made goes with its claim, one that is kept is released', async () => {
  const kept = storageClass('kept', { reclaimPolicy: 'Retain' });
  const before = [
    kept,
    claim('data'),
    claim('precious', { storageClassName: 'kept' }),
    podWith('p', 'data'),
    podWith('q', 'precious'),
  ];
  await onMachinesIn([a], before, async ({ cluster, until, isReady }) => {
    await until(async () => (await isReady('p')) && isReady('q'));
    for (const name of ['p', 'q']) await cluster.delete('Pod', { name, namespace: 'default' });
    for (const name of ['data', 'precious'])
      await cluster.delete('PersistentVolumeClaim', { name, namespace: 'default' });
    await until(async () => (await cluster.list('PersistentVolume')).length === 1);
    const [left] = await cluster.list('PersistentVolume');
    assert.deepEqual([left?.spec.claimRef?.name, left?.status?.phase], ['precious', 'Released']);
  });
});

test('a claim whose volume is deleted by hand is lost', async () => {
  await onMachinesIn([a], [claim('data'), podWith('p', 'data')], async ({ cluster, until, claim: claimOf, pod }) => {
    await until(async () => (await claimOf('data'))?.status?.phase === 'Bound');
    const name = (await claimOf('data'))?.spec.volumeName ?? '';
    await cluster.delete('PersistentVolume', { name });
    assert.ok(
      (await cluster.get('PersistentVolume', { name }))?.metadata.deletionTimestamp,
      'it is protected while a claim is bound to it',
    );
    const unprotected = { metadata: { finalizers: null } };
    await cluster.patch('PersistentVolume', { name }, { type: 'merge', value: unprotected });
    await until(async () => (await claimOf('data'))?.status?.phase === 'Lost');
    await cluster.create(podWith('q', 'data'));
    const words = `persistentvolumeclaim "data" bound to non-existent persistentvolume "${name}"`;
    await until(async () => scheduled(await pod('q'))?.message === `0/1 nodes are available: ${words}.`);
  });
});

test('each pod of a StatefulSet has a volume of its own, in the zone of its node', async () => {
  await onMachinesIn([a, b, c], [statefulSetOf(3)], async ({ cluster, until, isReady, claim: claimOf, pod }) => {
    await until(async () => isReady('db-2'));
    for (const ordinal of [0, 1, 2]) {
      const name = (await claimOf(`data-db-${ordinal}`))?.spec.volumeName ?? '';
      const volume = await cluster.get('PersistentVolume', { name });
      const node = await cluster.get('Node', { name: (await pod(`db-${ordinal}`))?.spec.nodeName ?? '' });
      const zone = node?.metadata.labels?.[zoneLabel] ?? '';
      assert.deepEqual(volume?.spec.nodeAffinity, volumeIn(zone, '').spec.nodeAffinity);
    }
  });
});

test('a pod that waits for its volume keeps its place on the node', async () => {
  const resources = { requests: { cpu: '1500m' } };
  const containers = [{ name: 'db', image: 'nginx', resources }];
  const before = [claim('one'), claim('two'), podWith('p', 'one', { containers }), podWith('q', 'two', { containers })];
  await onMachinesIn([a], before, async ({ clock, until, isReady, pod }) => {
    await until(async () => (await isReady('p')) || isReady('q'));
    await clock.sleep(30);
    const placed = [await pod('p'), await pod('q')].filter((one) => one?.spec.nodeName !== undefined);
    assert.equal(placed.length, 1, 'the node has two cores');
  });
});

test('a pod whose node goes while its volume is made gets another node and a volume there', async () => {
  await onMachinesIn([a], [claim('data'), podWith('p', 'data')], async (it) => {
    const { cluster, machines, nodes, until, claim: claimOf } = it;
    const chosen = async () => (await claimOf('data'))?.metadata.annotations?.['volume.kubernetes.io/selected-node'];
    await until(async () => (await chosen()) === nodes[0]);
    await cluster.delete('Node', { name: nodes[0] ?? '' });
    const { nodeName } = machines.launch({ ...launchRequest, zone: b, bootedWithImages: ['nginx'] });
    await until(async () => it.isReady('p'));
    assert.equal(await chosen(), nodeName);
    assert.deepEqual((await cluster.list('PersistentVolume'))[0]?.spec.nodeAffinity, volumeIn(b, '').spec.nodeAffinity);
  });
});

test('a claim that names no class gets the default one when it is created, or as soon as there is one', async () => {
  const { name, namespace } = claim('data').metadata;
  const classOf = async ({ cluster }: Pick<Stage, 'cluster'>) =>
    (await cluster.get('PersistentVolumeClaim', { name, ...(namespace && { namespace }) }))?.spec.storageClassName;
  await onStage([], [storageClass('slow'), storageClass('fast', {}, true), claim('data')], async (stage) => {
    assert.equal(await classOf(stage), 'fast');
  });
  await onStage([volumeBinder()], [claim('data')], async (stage) => {
    assert.equal(await classOf(stage), undefined);
    await stage.cluster.create(storageClass('fast', {}, true));
    await stage.until(async () => (await classOf(stage)) === 'fast');
  });
});
