import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instanceIdOf } from '../../src/machines/instances.ts';
import { attachDetach } from '../../src/storage/attach-detach.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';
import {
  claim,
  onMachinesIn,
  podWith,
  statefulSetOf,
  storageClass,
  volumeIn,
  type WithVolumes,
} from '../support/with-volumes.ts';

const [a, b] = ['us-east-1a', 'us-east-1b'];
const zonal = { nodeSelector: { 'topology.kubernetes.io/zone': a } };

/** Cuts the power of the node that the pod is on; returns its name. */
async function cutPower({ cluster, machines, pod }: WithVolumes, name: string): Promise<string> {
  const nodeName = (await pod(name))?.spec.nodeName ?? '';
  const node = await cluster.get('Node', { name: nodeName });
  machines.terminate(instanceIdOf(node?.spec?.providerID ?? ''));
  return nodeName;
}

const multiAttach = async ({ cluster }: WithVolumes) =>
  (await cluster.list('Event')).filter(({ reason }) => reason === 'FailedAttachVolume').map(({ message }) => message);

test('the containers of a pod start when its volume is attached and reported in use, and not before', async () => {
  await onMachinesIn([a], [claim('data'), podWith('p', 'data')], async (it) => {
    await it.until(async () => (await it.pod('p'))?.spec.nodeName !== undefined);
    const attachedAfter = await it.until(async () => (await it.attachments()).includes(`${it.nodes[0]} true`));
    assert.ok(attachedAfter >= 1 && attachedAfter < 4.2, `${attachedAfter} s`);
    const key = 'default/p';
    while (it.machines.containersOf(key).length === 0) {
      assert.notEqual((await it.pod('p'))?.status?.phase, 'Running');
      await it.clock.sleep(0.05);
    }
    const node = await it.cluster.get('Node', { name: it.nodes[0] ?? '' });
    const [volume] = await it.cluster.list('PersistentVolume');
    assert.deepEqual(node?.status?.volumesInUse, [
      `kubernetes.io/csi/ebs.csi.aws.com^${volume?.spec.csi?.volumeHandle}`,
    ]);
    await it.until(async () => it.isReady('p'));
  });
});

test('a volume of a file system that every node reaches is in no zone, and is attached to no machine', async () => {
  const shared = storageClass('shared', { provisioner: 'efs.csi.aws.com', volumeBindingMode: 'Immediate' });
  const files = claim('files', { storageClassName: 'shared', accessModes: ['ReadWriteMany'] });
  await onMachinesIn([a, b], [shared, files, podWith('p', 'files'), podWith('q', 'files')], async (it) => {
    await it.until(async () => (await it.isReady('p')) && it.isReady('q'));
    assert.deepEqual(await it.attachments(), []);
    assert.equal((await it.cluster.list('PersistentVolume'))[0]?.spec.nodeAffinity, undefined);
  });
});

test('a volume is detached when its pod is gone and its node has unmounted it, and then attached where the next pod is', async () => {
  await onMachinesIn([a, a], [statefulSetOf(1)], async (it) => {
    await it.until(async () => it.isReady('db-0'));
    const from = (await it.pod('db-0'))?.spec.nodeName;
    await it.cluster.patch('Node', { name: from ?? '' }, { type: 'merge', value: { spec: { unschedulable: true } } });
    await it.cluster.delete('Pod', { name: 'db-0', namespace: 'default' });
    await it.until(async () => ![undefined, from].includes((await it.pod('db-0'))?.spec.nodeName));
    assert.deepEqual(await it.attachments(), [`${from} true`], 'the old node has not reported that it is unmounted');
    const to = (await it.pod('db-0'))?.spec.nodeName;
    const seconds = await it.until(async () => it.isReady('db-0'));
    assert.deepEqual(await it.attachments(), [`${to} true`]);
    assert.ok(seconds > 2 && seconds < 40, `${seconds} s`);
  });
});

test('a second pod on another node waits for a volume of ReadWriteOnce, with the event of a Multi-Attach error', async () => {
  await onMachinesIn([a, a], [claim('data'), podWith('p', 'data', zonal)], async (it) => {
    await it.until(async () => it.isReady('p'));
    const from = (await it.pod('p'))?.spec.nodeName ?? '';
    await it.cluster.patch('Node', { name: from }, { type: 'merge', value: { spec: { unschedulable: true } } });
    await it.cluster.create(podWith('q', 'data'));
    await it.clock.sleep(120);
    assert.equal((await it.pod('q'))?.status?.phase, 'Pending');
    const [volume] = await it.cluster.list('PersistentVolume');
    const words = `Multi-Attach error for volume "${volume?.metadata.name}" Volume is already used by pod(s) p`;
    assert.deepEqual(await multiAttach(it), [words]);
    await it.cluster.delete('Pod', { name: 'p', namespace: 'default' });
    await it.until(async () => it.isReady('q'));
  });
});

test('two pods on one node share a volume of ReadWriteOnce', async () => {
  await onMachinesIn([a], [claim('data'), podWith('p', 'data'), podWith('q', 'data')], async (it) => {
    await it.until(async () => (await it.isReady('p')) && it.isReady('q'));
    assert.deepEqual(await it.attachments(), [`${it.nodes[0]} true`]);
  });
});

test('a dead node keeps the volume: its pod stays Terminating, and after a forced deletion the next one waits 6 minutes', async () => {
  await onMachinesIn([a, a], [statefulSetOf(1, { tolerations: impatient })], async (it) => {
    await it.until(async () => it.isReady('db-0'));
    const dead = await cutPower(it, 'db-0');
    await it.until(async () => (await it.pod('db-0'))?.metadata.deletionTimestamp !== undefined);
    await it.clock.sleep(600);
    assert.equal((await it.pod('db-0'))?.spec.nodeName, dead, 'nobody removes the pod');
    assert.deepEqual(await it.attachments(), [`${dead} true`]);
    await it.cluster.delete('Pod', { name: 'db-0', namespace: 'default' }, { gracePeriodSeconds: 0 });
    const detached = await it.until(async () => !(await it.attachments()).includes(`${dead} true`));
    assert.ok(detached >= 360 && detached < 366, `${detached} s`);
    assert.match((await multiAttach(it)).join(), /Volume is already exclusively attached to one node/);
    await it.until(async () => it.isReady('db-0'));
  });
});

test('a volume of a node that is gone counts as mounted there: it too is waited for 6 minutes', async () => {
  await onMachinesIn([a, a], [statefulSetOf(1)], async (it) => {
    await it.until(async () => it.isReady('db-0'));
    const dead = await cutPower(it, 'db-0');
    await it.cluster.delete('Node', { name: dead });
    const first = (await it.pod('db-0'))?.metadata.uid;
    await it.until(async () => ![undefined, first].includes((await it.pod('db-0'))?.metadata.uid));
    const seconds = await it.until(async () => it.isReady('db-0'));
    assert.ok(seconds > 360 && seconds < 385, `${seconds} s`);
  });
});

test('the taint out-of-service releases pod and volume of a dead node at once', async () => {
  await onMachinesIn([a, a], [statefulSetOf(1)], async (it) => {
    await it.until(async () => it.isReady('db-0'));
    const dead = await cutPower(it, 'db-0');
    const notReady = async () =>
      (await it.cluster.get('Node', { name: dead }))?.status?.conditions?.some(
        ({ type, status }) => type === 'Ready' && status === 'Unknown',
      ) === true;
    await it.until(notReady);
    const first = (await it.pod('db-0'))?.metadata.uid;
    const key = 'node.kubernetes.io/out-of-service';
    const before = (await it.cluster.get('Node', { name: dead }))?.spec?.taints ?? [];
    const taints = [...before, { key, value: 'nodeshutdown', effect: 'NoExecute' }];
    await it.cluster.patch('Node', { name: dead }, { type: 'merge', value: { spec: { taints } } });
    await it.until(async () => ![undefined, first].includes((await it.pod('db-0'))?.metadata.uid));
    const seconds = await it.until(async () => it.isReady('db-0'));
    assert.ok(seconds < 30, `${seconds} s`);
  });
});

test('a node that is ready and says that it uses a volume keeps it; one that is not loses it after 6 minutes', async () => {
  const volume = volumeIn(a, 'used');
  const inUse = { volumesInUse: ['kubernetes.io/csi/ebs.csi.aws.com^vol-used'] };
  const n = objects.node('n');
  const attachment = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'csi-1' },
    spec: { attacher: 'ebs.csi.aws.com', nodeName: 'n', source: { persistentVolumeName: 'used' } },
  } as const;
  const before = [volume, { ...n, status: { ...n.status, ...inUse } }, attachment];
  await onStage([attachDetach()], before, async ({ cluster, clock, until }) => {
    const isThere = async () => (await cluster.list('VolumeAttachment')).length === 1;
    await clock.sleep(800);
    assert.ok(await isThere());
    const value = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
    await cluster.patch('Node', { name: 'n' }, { type: 'merge', value }, { subresource: 'status' });
    const seconds = await until(async () => !(await isThere()));
    assert.ok(seconds < 1, `${seconds} s`);
  });
});

test('a pod that is being deleted and whose containers have ended needs no volume, though a finalizer keeps it', async () => {
  const held = podWith('p', 'data', { nodeName: 'n' });
  const kept = { ...held, metadata: { ...held.metadata, finalizers: ['example.com/kept'] } };
  const claimRef = { namespace: 'default', name: 'data', uid: 'u' };
  await onStage([attachDetach()], [objects.node('n'), volumeIn(a, 'v', { claimRef }), kept], async (stage) => {
    const { cluster, until } = stage;
    const isAttached = async () => (await cluster.list('VolumeAttachment')).length === 1;
    await until(isAttached);
    const at = { name: 'p', namespace: 'default' };
    const ended = { name: 'db', ready: false, restartCount: 0, image: 'nginx', state: { terminated: { exitCode: 0 } } };
    await cluster.delete('Pod', at);
    assert.ok(await isAttached());
    const value = { status: { containerStatuses: [ended] } };
    await cluster.patch('Pod', at, { type: 'merge', value }, { subresource: 'status' });
    await until(async () => !(await isAttached()));
    assert.notEqual(await cluster.get('Pod', at), undefined);
  });
});

const impatient = [
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 },
] as const;
