import type { StoredObject } from '../../objects/objects.ts';
import { withDefaultClass } from '../admission/default-storage-class.ts';
import { claimCauses, storageClassCauses, volumeCauses } from '../validation/storage.ts';
import { attachmentCauses } from '../validation/volume-attachment.ts';
import { at, defaultsOf, type Strategy } from './strategy.ts';

/** core/v1 PersistentVolumeClaim. No controller is here that would take away a finalizer of protection, so that it gets none. */
export const persistentVolumeClaim: Strategy = {
  firstStatus: () => ({ phase: 'Pending' }),
  complete: (object) => at(object, 'spec', defaultsOf({ volumeMode: 'Filesystem' })),
  admit: withDefaultClass,
  validate: claimCauses,
};

/** core/v1 PersistentVolume. */
export const persistentVolume: Strategy = {
  firstStatus: () => ({ phase: 'Pending' }),
  complete: (object) => {
    const whole = at(object, 'spec', defaultsOf({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }));
    return at(whole, 'spec.hostPath', defaultsOf({ type: '' }));
  },
  validate: volumeCauses,
};

/** storage.k8s.io/v1. */
export const storageClass: Strategy = {
  complete: (object) => defaultsOf({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })(object) as StoredObject,
  validate: storageClassCauses,
};

export const volumeAttachment: Strategy = { validate: attachmentCauses };

/** storage.k8s.io/v1 CSIDriver (kubernetes, pkg/apis/storage/v1/defaults.go). */
export const csiDriver: Strategy = {
  complete: (object) =>
    at(
      object,
      'spec',
      defaultsOf({
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      }),
    ),
};
