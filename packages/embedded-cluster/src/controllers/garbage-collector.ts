import type { Kind, Resource } from '../kubernetes/kinds.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';
import { leaseNamespace } from './kubelet-lease.ts';

/** The kinds whose objects own others here. */
const owners = [
  'Deployment',
  'ReplicaSet',
  'DaemonSet',
  'StatefulSet',
  'CronJob',
  'Job',
  'Service',
  'NodePool',
  'NodeClaim',
  'Node',
] as const;
/** The kinds whose objects are owned. */
const owned = ['Job', 'ReplicaSet', 'ControllerRevision', 'Pod', 'EndpointSlice', 'NodeClaim', 'Node'] as const;
/** Kinds without owners and dependents; their objects can be deleted in the foreground too. */
const alone = ['EC2NodeClass', 'Ingress', 'PodDisruptionBudget'] as const;

/**
 * Deletes objects whose owners are all gone, and processes the finalizers `orphan` and `foregroundDeletion`
 * (pkg/controller/garbagecollector).
 */
export const garbageCollector = reconciler({
  name: 'garbage-collector',
  watches: Object.fromEntries([...owners, ...owned, ...alone].map((kind) => [kind, affectedKeys])),
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const [kind, at] = key.split(' ') as [Kind, string];
    const object = kind === 'Lease' ? await site.cluster.get(kind, placeOf(at)) : site.cache.get(kind, at);
    if (object === undefined) return undefined;
    if (isFinalizing(object)) await processFinalizer(site, object);
    if (object.metadata.deletionTimestamp === undefined && isOrphan(object, site.cache)) {
      await site.cluster.delete(kind, placeOf(at), { uid: object.metadata.uid ?? '' });
    }
    return undefined;
  },
});

const nameOf = (object: Resource): string => `${object.kind} ${keyOf(object)}`;

function affectedKeys(object: Resource, cache: Cache): readonly string[] {
  return [...ownKey(object, cache), ...dependents(object, cache), ...waitingOwners(object, cache)];
}

function ownKey(object: Resource, cache: Cache): readonly string[] {
  return isOrphan(object, cache) || isFinalizing(object) ? [nameOf(object)] : [];
}

/** The dependents of an owner that is gone; a Node's Lease too, although Leases are not in the cache. */
function dependents(object: Resource, cache: Cache): readonly string[] {
  if (cache.get(object.kind, keyOf(object))?.metadata.uid === object.metadata.uid) return [];
  const owned = [...cache.ownedBy(object.metadata.uid)].map(nameOf);
  return object.kind === 'Node' ? [...owned, `Lease ${leaseNamespace}/${object.metadata.name}`] : owned;
}

/** The owners that wait for this object to be gone. */
function waitingOwners({ metadata }: Resource, cache: Cache): readonly string[] {
  return (metadata.ownerReferences ?? []).flatMap((owner) => {
    const object = isKnown(owner.kind) ? cache.get(owner.kind, keyOfOwner(owner, metadata.namespace)) : undefined;
    return object !== undefined && isFinalizing(object) ? [nameOf(object)] : [];
  });
}

const orphaning = 'orphan';
const foreground = 'foregroundDeletion';

/** Deleted, but kept by one of the garbage collector's finalizers. */
function isFinalizing({ metadata }: Resource): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  return metadata.finalizers?.some((one) => one === orphaning || one === foreground) === true;
}

/**
 * `orphan`: the dependents lose their owner reference. `foregroundDeletion`: the dependents are deleted first, and the
 * owner when the last one with blockOwnerDeletion is gone.
 */
async function processFinalizer(site: Site, object: Resource): Promise<void> {
  const { finalizers = [], uid = '' } = object.metadata;
  const dependents = [...site.cache.ownedBy(uid)];
  if (finalizers.includes(orphaning)) {
    for (const one of dependents) await removeOwner(site, one, uid);
    await removeFinalizer(site, object, orphaning);
    return;
  }
  for (const { kind, metadata } of dependents.filter((one) => one.metadata.deletionTimestamp === undefined)) {
    const options = { uid: metadata.uid ?? '', propagationPolicy: 'Foreground' } as const;
    await site.cluster.delete(kind, placeOf(keyOf({ kind, metadata } as Resource)), options);
  }
  if (!dependents.some((one) => blocksOwner(one, uid))) await removeFinalizer(site, object, foreground);
}

const blocksOwner = ({ metadata }: Resource, uid: string): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true) === true;

async function removeOwner(site: Site, object: Resource, uid: string): Promise<void> {
  const ownerReferences = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
  const value = { metadata: { ownerReferences } };
  await site.cluster.patch(object.kind, placeOf(keyOf(object)), { type: 'merge', value });
}

async function removeFinalizer(site: Site, object: Resource, finalizer: string): Promise<void> {
  const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  await site.cluster.patch(object.kind, placeOf(keyOf(object)), { type: 'merge', value: { metadata: { finalizers } } });
}

function isOrphan({ metadata }: Resource, cache: Cache): boolean {
  const references = metadata.ownerReferences ?? [];
  return references.length > 0 && references.every((owner) => !exists(owner, metadata.namespace, cache));
}

interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** An owner of a kind that is not watched here counts as existing. */
function exists(owner: Owner, namespace: string | undefined, cache: Cache): boolean {
  if (!isKnown(owner.kind)) return true;
  return cache.get(owner.kind, keyOfOwner(owner, namespace))?.metadata.uid === owner.uid;
}

const isKnown = (kind: string): kind is (typeof owners)[number] => owners.some((one) => one === kind);

const clusterScoped = new Set(['NodePool', 'NodeClaim', 'Node']);

function keyOfOwner({ kind, name }: Owner, namespace: string | undefined): string {
  return clusterScoped.has(kind) || namespace === undefined ? name : `${namespace}/${name}`;
}
