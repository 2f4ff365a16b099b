import type { Pod } from '../kubernetes/resources.ts';
import type { PersistentVolume } from '../kubernetes/volumes.ts';
import type { Cache } from '../objects/cache.ts';
import { attachableName, claimKeysOf, isBound, isInUse, volumesOf } from '../objects/claims.ts';
import { isFinished } from '../objects/pods.ts';

/**
 * Whether every volume of the pod can be mounted: its claims are bound, and what has to be attached is attached and
 * reported in use (kubernetes, operation_generator.go, GenerateVerifyControllerAttachedVolumeFunc).
 */
export function areVolumesThere(pod: Pod, cache: Cache): boolean {
  const keys = claimKeysOf(pod);
  if (keys.length === 0) return true;
  const claims = keys.map((key) => cache.get('PersistentVolumeClaim', key));
  if (!claims.every((claim) => claim !== undefined && isBound(claim))) return false;
  return volumesOf(pod, cache).every((volume) => isThere(volume, pod.spec.nodeName ?? '', cache));
}

function isThere(volume: PersistentVolume, nodeName: string, cache: Cache): boolean {
  if (attachableName(volume) === undefined) return true;
  const node = cache.get('Node', nodeName);
  if (node === undefined || !isInUse(volume, node)) return false;
  return [...cache.list('VolumeAttachment')].some(
    ({ metadata, spec, status }) =>
      spec.nodeName === nodeName &&
      spec.source.persistentVolumeName === volume.metadata.name &&
      metadata.deletionTimestamp === undefined &&
      status?.attached === true,
  );
}

/** The names of the volumes that the node's kubelet uses: those of the pods that it has not cleaned up yet. */
export function volumesInUse(nodeName: string, cache: Cache): readonly string[] {
  const names = [...cache.podsOn(nodeName)]
    .filter((pod) => !isFinished(pod))
    .flatMap((pod) => volumesOf(pod, cache))
    .flatMap((volume) => attachableName(volume) ?? []);
  return [...new Set(names)].toSorted();
}
