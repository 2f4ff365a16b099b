import type { StoredObject } from '../../objects/objects.ts';
import { ageAt } from './durations.ts';
import { listAt, textAt, textsAt, valueAt } from './values.ts';

type Cells = (object: StoredObject, nowAt: number) => readonly unknown[];

const age = ({ metadata }: StoredObject, nowAt: number): string => ageAt(metadata.creationTimestamp, nowAt);
const modeNames: Readonly<Record<string, string | undefined>> = {
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOnce: 'RWO',
  ReadWriteOncePod: 'RWOP',
};
const modes = (object: StoredObject, path: string): string =>
  textsAt(object, path)
    .map((mode) => modeNames[mode] ?? mode)
    .join(',');

/** The cells after the name of storage, by collection (kubernetes, pkg/printers/internalversion/printers.go). */
/** The name of a class that is the default says so. */
export function classNameCell({ metadata }: StoredObject): string {
  const isDefault = defaultAnnotations.some((key) => metadata.annotations?.[key] === 'true');
  return isDefault ? `${metadata.name} (default)` : metadata.name;
}

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageCells: Readonly<Record<string, Cells>> = {
  PersistentVolume: (object, nowAt) => [
    textAt(object, 'spec.capacity.storage', ''),
    modes(object, 'spec.accessModes'),
    textAt(object, 'spec.persistentVolumeReclaimPolicy', ''),
    object.metadata.deletionTimestamp === undefined ? textAt(object, 'status.phase', '') : 'Terminating',
    claimOf(object),
    textAt(object, 'spec.storageClassName', ''),
    textAt(object, 'spec.volumeAttributesClassName', '<unset>'),
    textAt(object, 'status.reason', ''),
    age(object, nowAt),
    textAt(object, 'spec.volumeMode', '<unset>'),
  ],
  PersistentVolumeClaim: (object, nowAt) => [
    object.metadata.deletionTimestamp === undefined ? textAt(object, 'status.phase', '') : 'Terminating',
    textAt(object, 'spec.volumeName', ''),
    object.spec?.volumeName === undefined ? '' : textAt(object, 'status.capacity.storage', '0'),
    object.spec?.volumeName === undefined ? '' : modes(object, 'status.accessModes'),
    textAt(object, 'spec.storageClassName', ''),
    textAt(object, 'spec.volumeAttributesClassName', '<unset>'),
    age(object, nowAt),
    textAt(object, 'spec.volumeMode', '<unset>'),
  ],
  StorageClass: (object, nowAt) => [
    textAt(object, 'provisioner', ''),
    textAt(object, 'reclaimPolicy', 'Delete'),
    textAt(object, 'volumeBindingMode', 'Immediate'),
    Reflect.get(object, 'allowVolumeExpansion') === true,
    age(object, nowAt),
  ],
  'CSIDriver.storage.k8s.io': (object, nowAt) => [
    valueAt(object, 'spec.attachRequired') ?? true,
    valueAt(object, 'spec.podInfoOnMount') ?? false,
    valueAt(object, 'spec.storageCapacity') ?? false,
    listAt(object, 'spec.tokenRequests')
      .map(({ audience }) => audience)
      .join(',') || '<unset>',
    valueAt(object, 'spec.requiresRepublish') ?? false,
    textsAt(object, 'spec.volumeLifecycleModes').join(',') || '<none>',
    age(object, nowAt),
  ],
  'CSINode.storage.k8s.io': (object, nowAt) => [listAt(object, 'spec.drivers').length, age(object, nowAt)],
  VolumeAttachment: (object, nowAt) => [
    textAt(object, 'spec.attacher', ''),
    textAt(object, 'spec.source.persistentVolumeName', ''),
    textAt(object, 'spec.nodeName', ''),
    valueAt(object, 'status.attached') ?? false,
    age(object, nowAt),
  ],
};

function claimOf(object: StoredObject): string {
  const name = textAt(object, 'spec.claimRef.name', '');
  return name === '' ? '' : `${textAt(object, 'spec.claimRef.namespace', '')}/${name}`;
}
