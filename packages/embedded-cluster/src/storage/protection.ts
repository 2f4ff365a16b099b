import type { Pod } from '../kubernetes/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../kubernetes/volumes.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { isFinished } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';

const ofClaims = 'kubernetes.io/pvc-protection';
const ofVolumes = 'kubernetes.io/pv-protection';

/** A deleted claim goes when no pod uses it any more (kubernetes, pkg/controller/volume/pvcprotection). */
export const claimProtection = reconciler({
  name: 'claim-protection',
  watches: { PersistentVolumeClaim: (claim) => (isDeleted(claim) ? [keyOf(claim)] : []), Pod: claimsOf },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const claim = site.cache.get('PersistentVolumeClaim', key);
    if (claim === undefined || !isDeleted(claim) || isUsed(claim, site.cache)) return undefined;
    const value = { metadata: { finalizers: without(claim, ofClaims) } };
    await site.cluster.patch('PersistentVolumeClaim', placeOf(key), { type: 'merge', value });
    return undefined;
  },
});

/** A deleted volume goes when no claim is bound to it (kubernetes, pkg/controller/volume/pvprotection). */
export const volumeProtection = reconciler({
  name: 'volume-protection',
  watches: { PersistentVolume: (volume) => (isDeleted(volume) ? [keyOf(volume)] : []) },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const volume = site.cache.get('PersistentVolume', key);
    if (volume === undefined || !isDeleted(volume) || volume.status?.phase === 'Bound') return undefined;
    const value = { metadata: { finalizers: without(volume, ofVolumes) } };
    await site.cluster.patch('PersistentVolume', placeOf(key), { type: 'merge', value });
    return undefined;
  },
});

type Kept = PersistentVolume | PersistentVolumeClaim;

/** Deleted, and kept by the finalizer of its kind. */
function isDeleted({ kind, metadata }: Kept): boolean {
  const finalizer = kind === 'PersistentVolume' ? ofVolumes : ofClaims;
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;
}

const without = ({ metadata }: Kept, finalizer: string): readonly string[] =>
  (metadata.finalizers ?? []).filter((one) => one !== finalizer);

/** The deleted claims that a pod used which has ended or gone. */
function claimsOf(pod: Pod, cache: Cache): readonly string[] {
  const { namespace = '' } = pod.metadata;
  const keys = (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim: used }) =>
    used === undefined ? [] : [`${namespace}/${used.claimName}`],
  );
  return keys.filter((key) => {
    const claim = cache.get('PersistentVolumeClaim', key);
    return claim !== undefined && isDeleted(claim);
  });
}

function isUsed(claim: PersistentVolumeClaim, cache: Cache): boolean {
  const { name, namespace } = claim.metadata;
  return [...cache.inNamespace('Pod', namespace)].some(
    (pod) =>
      !isFinished(pod) && (pod.spec.volumes ?? []).some((volume) => volume.persistentVolumeClaim?.claimName === name),
  );
}
