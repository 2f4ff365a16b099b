import type { Pod } from '../kubernetes/resources.ts';
import type { PersistentVolumeClaim, StorageClass } from '../kubernetes/volumes.ts';
import type { Cache } from '../objects/cache.ts';
import { claimKeysOf, isBound, selectedNode, waitsForConsumer } from '../objects/claims.ts';
import { isReachable, matchingVolume } from './matching-volume.ts';

type Labels = Readonly<Record<string, string>>;

/** What the claims of a pod ask of its node (kube-scheduler, framework/plugins/volumebinding). */
export interface VolumeNeeds {
  /** Why no node can take the pod, whatever it is like. */
  readonly refusal: string | undefined;
  /** The claims that are bound only when the pod has a node. */
  readonly toBind: readonly PersistentVolumeClaim[];
  /** Why the node cannot take the pod; undefined when it can. A node that is only planned has no name. */
  readonly obstacleAt: (labels: Labels, name?: string) => string | undefined;
}

/** Undefined for a pod without claims. The words are kube-scheduler's (volume_binding.go, binder.go). */
export function volumeNeedsOf(pod: Pod, cache: Pick<Cache, 'get' | 'list'>): VolumeNeeds | undefined {
  const keys = claimKeysOf(pod);
  if (keys.length === 0) return undefined;
  const claims = keys.flatMap((key) => cache.get('PersistentVolumeClaim', key) ?? []);
  const missing = keys.find((key) => cache.get('PersistentVolumeClaim', key) === undefined);
  const unbound = claims.filter((claim) => !isBound(claim));
  const toBind = unbound.filter((claim) => waitsForConsumer(claim, cache));
  const refusal =
    missing === undefined
      ? (refusedClaim(claims) ??
        (toBind.length < unbound.length ? 'pod has unbound immediate PersistentVolumeClaims' : undefined))
      : `persistentvolumeclaim "${missing.slice(missing.indexOf('/') + 1)}" not found`;
  const obstacleAt = (labels: Labels, name?: string) => {
    const obstacles = claims.map((claim) =>
      isBound(claim) ? boundObstacle(claim, labels, cache) : unboundObstacle(claim, { labels, name }, cache),
    );
    return obstacles.find((one) => one !== undefined);
  };
  return { refusal, toBind, obstacleAt };
}

function refusedClaim(claims: readonly PersistentVolumeClaim[]): string | undefined {
  for (const { metadata, spec, status } of claims) {
    if (status?.phase === 'Lost')
      return `persistentvolumeclaim "${metadata.name}" bound to non-existent persistentvolume "${spec.volumeName}"`;
    if (metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${metadata.name}" is being deleted`;
  }
  return undefined;
}

function boundObstacle({ spec }: PersistentVolumeClaim, labels: Labels, cache: Pick<Cache, 'get'>): string | undefined {
  const volume = cache.get('PersistentVolume', spec.volumeName ?? '');
  if (volume === undefined) return 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
  return isReachable(volume, labels) ? undefined : 'node(s) had volume node affinity conflict';
}

interface NodeAt {
  readonly labels: Labels;
  readonly name: string | undefined;
}

/**
 * A volume that is there and fits is taken first; a claim that a volume is being made for stays with the node that was
 * chosen.
 */
function unboundObstacle(
  claim: PersistentVolumeClaim,
  { labels, name }: NodeAt,
  cache: Pick<Cache, 'get' | 'list'>,
): string | undefined {
  const none = "node(s) didn't find available persistent volumes to bind";
  const chosen = claim.metadata.annotations?.[selectedNode];
  if (chosen !== undefined) return name === undefined || name === chosen ? undefined : none;
  if (matchingVolume(claim, cache.list('PersistentVolume'), labels) !== undefined) return undefined;
  const storageClass = cache.get('StorageClass', claim.spec.storageClassName ?? '');
  return storageClass !== undefined && canProvide(storageClass, labels) ? undefined : none;
}

/**
 * Volumes of this provisioner are made by hand (https://kubernetes.io/docs/concepts/storage/storage-classes/#local).
 */
const byHand = 'kubernetes.io/no-provisioner';

const canProvide = ({ provisioner, allowedTopologies = [] }: StorageClass, labels: Labels): boolean =>
  provisioner !== byHand &&
  (allowedTopologies.length === 0 ||
    allowedTopologies.some(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? '')),
    ));
