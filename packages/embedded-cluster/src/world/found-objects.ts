import { poolHash } from '../autoscaler/pool-hash.ts';
import { wellKnown } from '../autoscaler/well-known.ts';
import type { NodeClaim, NodePool } from '../kubernetes/autoscaler.ts';
import type { Resource } from '../kubernetes/kinds.ts';
import type { DaemonSet, Deployment, Pod, ReplicaSet } from '../kubernetes/resources.ts';
import type { StatefulSet } from '../kubernetes/stateful-set.ts';
import { controllerOf } from '../objects/owners.ts';
import { hashOf, revisionOf } from '../workloads/from-template.ts';

const revisionLabel = 'controller-revision-hash';

/**
 * Objects as their controllers left them elsewhere, so that the controllers here find nothing to do: a template of
 * which only some fields are known has another hash, and two templates may look alike. Objects whose owners are not
 * among them lose those owners, because the garbage collector would delete them.
 */
export function settled(objects: readonly Resource[]): readonly Resource[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid ?? '', object] as const));
  const sets = Map.groupBy(
    objects.filter((object) => object.kind === 'ReplicaSet'),
    (set) => controllerOf(set)?.uid ?? '',
  );
  const pods = Map.groupBy(
    objects.filter((object) => object.kind === 'Pod'),
    (pod) => controllerOf(pod)?.uid ?? '',
  );
  const current = currentRevisions(objects, pods);
  const pools = new Map(objects.flatMap((one) => (one.kind === 'NodePool' ? [[one.metadata.name, one] as const] : [])));
  return objects.flatMap((object): readonly Resource[] => {
    const owned = withOwners(object, byUid);
    switch (owned.kind) {
      case 'ReplicaSet':
        return replicaSetOf(owned, byUid, sets);
      case 'Pod':
        return [podOf(owned, byUid, current)];
      case 'StatefulSet':
        return [statefulSetOf(owned)];
      case 'NodeClaim':
        return [claimOf(owned, pools)];
      // Controllers write these anew, from what is there.
      case 'ControllerRevision':
      case 'EndpointSlice':
        return [];
      default:
        return [owned];
    }
  });
}

function withOwners<R extends Resource>(object: R, byUid: ReadonlyMap<string, Resource>): R {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners.every(({ uid }) => byUid.has(uid))) return object;
  const ownerReferences = owners.filter(({ uid }) => byUid.has(uid));
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** The newest set of a Deployment has its template; older ones differ from it, and empty ones are not needed. */
function replicaSetOf(
  set: ReplicaSet,
  byUid: ReadonlyMap<string, Resource>,
  sets: ReadonlyMap<string, readonly ReplicaSet[]>,
): readonly ReplicaSet[] {
  const owner = byUid.get(controllerOf(set)?.uid ?? '');
  if (owner?.kind !== 'Deployment') return [set];
  const newest = Math.max(...(sets.get(owner.metadata.uid ?? '') ?? []).map(revisionOf));
  if (revisionOf(set) === newest) return [withTemplate(set, owner)];
  return (set.spec.replicas ?? 0) === 0 && (set.status?.replicas ?? 0) === 0 ? [] : [olderThan(set)];
}

function withTemplate(set: ReplicaSet, { spec: { template } }: Deployment): ReplicaSet {
  const hash = set.metadata.labels?.['pod-template-hash'];
  const labels = { ...template.metadata?.labels, ...(hash === undefined ? {} : { 'pod-template-hash': hash }) };
  return { ...set, spec: { ...set.spec, template: { ...template, metadata: { ...template.metadata, labels } } } };
}

const olderThan = (set: ReplicaSet): ReplicaSet => {
  const { template } = set.spec;
  const annotations = {
    ...template.metadata?.annotations,
    'deployment.kubernetes.io/revision': String(revisionOf(set)),
  };
  return { ...set, spec: { ...set.spec, template: { ...template, metadata: { ...template.metadata, annotations } } } };
};

/** Of each DaemonSet and StatefulSet the hash that the pods of its newest template have. */
function currentRevisions(
  objects: readonly Resource[],
  pods: ReadonlyMap<string, readonly Pod[]>,
): ReadonlyMap<string, string> {
  const revisions = Map.groupBy(
    objects.filter((object) => object.kind === 'ControllerRevision'),
    (revision) => controllerOf(revision)?.uid ?? '',
  );
  const named = (set: DaemonSet | StatefulSet): string | undefined => {
    if (set.kind === 'StatefulSet') return set.status?.updateRevision;
    const [newest] = (revisions.get(set.metadata.uid ?? '') ?? []).toSorted((a, b) => b.revision - a.revision);
    return newest?.metadata.labels?.[revisionLabel] ?? newestOf(pods.get(set.metadata.uid ?? '') ?? []);
  };
  return new Map(
    objects.flatMap((one) =>
      one.kind === 'DaemonSet' || one.kind === 'StatefulSet'
        ? [[one.metadata.uid ?? '', named(one) ?? ''] as const]
        : [],
    ),
  );
}

function newestOf(pods: readonly Pod[]): string | undefined {
  const created = ({ metadata }: Pod) => metadata.creationTimestamp ?? '';
  return pods.toSorted((a, b) => (created(a) < created(b) ? 1 : -1))[0]?.metadata.labels?.[revisionLabel];
}

function podOf(pod: Pod, byUid: ReadonlyMap<string, Resource>, current: ReadonlyMap<string, string>): Pod {
  const owner = byUid.get(controllerOf(pod)?.uid ?? '');
  if (owner?.kind !== 'DaemonSet' && owner?.kind !== 'StatefulSet') return pod;
  if (pod.metadata.labels?.[revisionLabel] !== current.get(owner.metadata.uid ?? '')) return pod;
  const hash = owner.kind === 'DaemonSet' ? hashOf(owner) : revisionName(owner);
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [revisionLabel]: hash } } };
}

const revisionName = (set: StatefulSet): string => `${set.metadata.name}-${hashOf(set)}`;

function statefulSetOf(set: StatefulSet): StatefulSet {
  if (set.status === undefined || set.status.currentRevision !== set.status.updateRevision) return set;
  const name = revisionName(set);
  return { ...set, status: { ...set.status, currentRevision: name, updateRevision: name } };
}

/** A claim that had not drifted from its pool has not drifted here. */
function claimOf(claim: NodeClaim, pools: ReadonlyMap<string, NodePool>): NodeClaim {
  const pool = pools.get(claim.metadata.labels?.[wellKnown.nodePool] ?? '');
  const { annotations = {} } = claim.metadata;
  if (pool === undefined || annotations[wellKnown.hash] !== pool.metadata.annotations?.[wellKnown.hash]) return claim;
  return {
    ...claim,
    metadata: { ...claim.metadata, annotations: { ...annotations, [wellKnown.hash]: poolHash(pool) } },
  };
}
