import type { Node, Pod } from '../kubernetes/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kubernetes/volumes.ts';
import type { Cache } from './cache.ts';
import { driverOf } from './volume-drivers.ts';

/** Set when both sides know of each other (pv.kubernetes.io/bind-completed). */
export const bindCompleted = 'pv.kubernetes.io/bind-completed';
/** The node that kube-scheduler has chosen for the first pod of a claim that waits for one. */
export const selectedNode = 'volume.kubernetes.io/selected-node';
/** Asks the provisioner of that name for a volume. */
export const storageProvisioner = 'volume.kubernetes.io/storage-provisioner';
const isDefaultClass = 'storageclass.kubernetes.io/is-default-class';

const none: readonly string[] = [];

/** The keys of the claims that the pod's volumes name. */
export function claimKeysOf({ metadata, spec }: Pod): readonly string[] {
  if (spec.volumes === undefined) return none;
  return spec.volumes.flatMap(({ persistentVolumeClaim: claim }) =>
    claim === undefined ? [] : [`${metadata.namespace ?? 'default'}/${claim.claimName}`],
  );
}

/** The key of the claim that the volume is for; undefined if it is for none. */
export const claimKeyOf = ({ spec: { claimRef } }: PersistentVolume): string | undefined =>
  claimRef === undefined ? undefined : `${claimRef.namespace ?? 'default'}/${claimRef.name}`;

export const isBound = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  spec.volumeName !== undefined && metadata.annotations?.[bindCompleted] !== undefined;

/**
 * Whether it is bound only when a pod that uses it has a node (component-helpers/storage/volume, IsDelayBindingMode).
 */
export const waitsForConsumer = ({ spec }: PersistentVolumeClaim, cache: Pick<Cache, 'get'>): boolean =>
  spec.volumeName === undefined &&
  cache.get('StorageClass', spec.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';

/** The volumes that are for the pod's claims. */
export function volumesOf(pod: Pod, cache: Pick<Cache, 'list'>): readonly PersistentVolume[] {
  const keys = claimKeysOf(pod);
  if (keys.length === 0) return [];
  return [...cache.list('PersistentVolume')].filter((volume) => keys.includes(claimKeyOf(volume) ?? ''));
}

/**
 * The name under which nodes and the attach-detach controller know a volume; undefined where none is attached to a
 * machine.
 */
export function attachableName({ spec: { csi } }: PersistentVolume): string | undefined {
  if (csi === undefined || driverOf(csi.driver)?.attaches === false) return undefined;
  return `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
}

/** Whether the node's kubelet has said that it uses the volume: it has mounted it or is about to. */
export const isInUse = (volume: PersistentVolume, { status }: Node): boolean =>
  status?.volumesInUse?.includes(attachableName(volume) ?? '') === true;

/** Of several default classes the newest (kubernetes, pkg/volume/util/storageclass.go). */
export function defaultClass<T extends Pick<StorageClass, 'metadata'>>(classes: Iterable<T>): T | undefined {
  const [first] = [...classes]
    .filter(({ metadata }) => metadata.annotations?.[isDefaultClass] === 'true')
    .toSorted(
      (a, b) =>
        (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '') ||
        a.metadata.name.localeCompare(b.metadata.name),
    );
  return first;
}
