import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeInfosOf } from '../../src/autoscaler/cluster-state.ts';
import { pendingAttachments } from '../../src/autoscaler/pending-attachments.ts';
import type { NodeClaim } from '../../src/kubernetes/autoscaler.ts';
import type { VolumeAttachment } from '../../src/kubernetes/volumes.ts';
import { volumeNeedsOf } from '../../src/scheduling/volumes.ts';
import { cacheOf } from '../support/cache-of.ts';
import { claim, podWith, volumeIn } from '../support/with-volumes.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const zone = 'us-east-1c';
const volume = (name: string) => volumeIn(zone, name, { claimRef: { namespace: 'default', name, uid: name } });
const attachment = (name: string, nodeName = 'n'): VolumeAttachment => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: `csi-${name}` },
  spec: { attacher: 'ebs.csi.aws.com', nodeName, source: { persistentVolumeName: name } },
});

test('a machine waits for all attachments of its node, but for the volumes of pods that are not drained', () => {
  const tolerations = [{ operator: 'Exists' as const }];
  const cache = cacheOf([
    podWith('daemon', 'kept', { nodeName: 'n', tolerations }),
    podWith('web', 'moved', { nodeName: 'n' }),
    ...['kept', 'moved'].map(volume),
    attachment('kept'),
    attachment('moved'),
    attachment('other', 'm'),
  ]);
  assert.deepEqual(
    pendingAttachments('n', cache, now).map(({ metadata }) => metadata.name),
    ['csi-moved'],
  );
});

test('a node that is asked for and not launched yet has its zone: the pod of a volume in that zone is planned on it', () => {
  const starting: NodeClaim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'asked' },
    spec: {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }],
    },
  };
  const bound = claim('data', { volumeName: 'data', storageClassName: 'fast' });
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
  const pod = podWith('p', 'data');
  const cache = cacheOf([starting, volume('data'), { ...bound, metadata: { ...bound.metadata, annotations } }, pod]);
  const [node] = nodeInfosOf(cache);
  assert.equal(volumeNeedsOf(pod, cache)?.obstacleAt(node?.labels ?? {}), undefined);
});
