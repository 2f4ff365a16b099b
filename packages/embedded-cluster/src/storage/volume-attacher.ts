import type { VolumeAttachment } from '../kubernetes/volumes.ts';
import { keyOf } from '../objects/cache.ts';
import { driverOf } from '../objects/volume-drivers.ts';
import { reconciler } from '../reconciling/reconciler.ts';

/** kubernetes-csi/external-attacher, beside the EBS driver. */
const finalizer = 'external-attacher/ebs-csi-aws-com';

const isOurs = ({ spec }: VolumeAttachment): boolean => driverOf(spec.attacher)?.attaches === true;

/** VolumeAttachments → volumes at machines. */
export const volumeAttacher = reconciler({
  name: 'volume-attacher',
  watches: {
    VolumeAttachment: (one) => (isOurs(one) && one.status?.attached !== true && !isDeleted(one) ? [keyOf(one)] : []),
  },
  reaction: 'volumeAttach',
  reconcile: async ({ cache, cluster }, name) => {
    const attachment = cache.get('VolumeAttachment', name);
    if (attachment === undefined || isDeleted(attachment)) return undefined;
    if (cache.get('Node', attachment.spec.nodeName) === undefined) return undefined;
    await cluster.patch(
      'VolumeAttachment',
      { name },
      { type: 'merge', value: { metadata: { finalizers: [finalizer] } } },
    );
    const value = { status: { attached: true } };
    await cluster.patch('VolumeAttachment', { name }, { type: 'merge', value }, { subresource: 'status' });
    return undefined;
  },
});

/** Deleted VolumeAttachments: the volume is detached, and the object goes. */
export const volumeDetacher = reconciler({
  name: 'volume-detacher',
  watches: { VolumeAttachment: (one) => (isOurs(one) && isDeleted(one) ? [keyOf(one)] : []) },
  reaction: 'volumeDetach',
  reconcile: async ({ cache, cluster }, name) => {
    if (cache.get('VolumeAttachment', name)?.metadata.deletionTimestamp === undefined) return undefined;
    await cluster.patch('VolumeAttachment', { name }, { type: 'merge', value: { metadata: { finalizers: [] } } });
    return undefined;
  },
});

const isDeleted = ({ metadata }: VolumeAttachment): boolean => metadata.deletionTimestamp !== undefined;
