import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kubernetes/volumes.ts';
import type { VolumeDriver } from '../objects/volume-drivers.ts';

export const zoneLabel = 'topology.kubernetes.io/zone';

/** The volume that a driver makes for a claim; `zone` is undefined where every zone reaches it. */
export function newVolume(
  claim: PersistentVolumeClaim,
  { metadata: { name: storageClassName }, reclaimPolicy = 'Delete' }: StorageClass,
  driver: VolumeDriver,
  { zone, volumeHandle }: { readonly zone: string | undefined; readonly volumeHandle: string },
): PersistentVolume {
  const { namespace = 'default', name, uid = '' } = claim.metadata;
  const { accessModes = [], resources, volumeMode = 'Filesystem' } = claim.spec;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': driver.name } },
    spec: {
      capacity: { storage: resources?.requests?.storage ?? '1Gi' },
      accessModes,
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName,
      volumeMode,
      csi: { driver: driver.name, volumeHandle, fsType: 'ext4' },
      ...(zone === undefined ? {} : { nodeAffinity: inZone(zone) }),
    },
  };
}

const inZone = (zone: string): NonNullable<PersistentVolume['spec']['nodeAffinity']> => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zoneLabel, operator: 'In', values: [zone] }] }] },
});

/**
 * The zone of a claim that waits for no pod: claims of one StatefulSet, which end in an ordinal, get one zone after the
 * other, from one that their common name decides (kubernetes-csi/external-provisioner, pkg/controller/topology.go,
 * getPVCNameHashAndIndexOffset).
 */
export function spreadZone(claimName: string, zones: readonly string[]): string | undefined {
  const [, base = claimName, ordinal = '0'] = /^(.*)-(\d+)$/.exec(claimName) ?? [];
  const sorted = [...new Set(zones)].toSorted();
  return sorted[(fnv32(base) + Number(ordinal)) % Math.max(1, sorted.length)];
}

/** FNV-1, 32 bits (Go, hash/fnv, New32). */
function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
