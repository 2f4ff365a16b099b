import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { deployment, ingress, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

async function notesOf(podSpec: object, ...more: readonly object[]): Promise<readonly string[]> {
  const objects = [deployment('shop-web', 'shop', podSpec), service(), ingress(), ...more];
  const read = await readOwnManifests(objects.map((one) => stringify(one)).join('---\n'));
  assert.ok('notes' in read, JSON.stringify(read));
  return read.notes.map((note) => note.replace(/^own\.yaml:\d+: /, ''));
}

const using = (claimName: string) => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] });
const claim = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const storageClass = (name: string, provisioner: string) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
});

test('a claim that is not among the manifests is reported: its pods stay Pending', async () => {
  assert.deepEqual(await notesOf(using('files')), [
    'PersistentVolumeClaim files is not among these manifests: unless the cluster has it, the pods of Deployment shop-web stay in Pending, as they do here.',
  ]);
});

test('a claim of a StorageClass that is not there is reported, and not one of a class that is', async () => {
  const notes = await notesOf(
    using('files'),
    claim('files'),
    claim('ours', { storageClassName: 'fast' }),
    claim('eks', { storageClassName: 'gp2' }),
    claim('none', { storageClassName: 'slow' }),
    storageClass('fast', 'ebs.csi.aws.com'),
  );
  assert.deepEqual(notes, [
    'PersistentVolumeClaim none: there is no StorageClass slow in a rehearsal, so that its claims stay Pending: bring it in the manifests (there are ebs-csi-default-sc, gp2, fast).',
  ]);
});

test('a StorageClass whose driver is not there is reported', async () => {
  assert.deepEqual(await notesOf(using('files'), claim('files'), storageClass('remote', 'csi.example.com')), [
    'StorageClass remote: no driver of csi.example.com is in a rehearsal: claims of this class get only volumes of the manifests.',
  ]);
});
