import type { Kind, Resource } from '../../cluster/kinds.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import type { Site } from '../setup/site.ts';
import { leaseNamespace } from './kubelet-lease.ts';
import { reconciler } from './reconciler.ts';

/** The kinds whose objects own others here, and those that are owned. */
const owners = ['Deployment', 'ReplicaSet', 'DaemonSet', 'Service', 'NodePool', 'NodeClaim', 'Node'] as const;
const owned = ['ReplicaSet', 'Pod', 'EndpointSlice', 'NodeClaim', 'Node'] as const;
/** These own nothing and are nobody's, and yet may be deleted in the foreground. */
const alone = ['EC2NodeClass', 'Ingress', 'PodDisruptionBudget'] as const;

/**
 * Deletes what names only owners that are gone, and does what an owner waits for that is deleted in the foreground or leaves
 * orphans (pkg/controller/garbagecollector).
 */
export const garbageCollector = reconciler({
  name: 'garbage-collector',
  watches: Object.fromEntries([...owners, ...owned, ...alone].map((kind) => [kind, concerned])),
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const [kind, at] = key.split(' ') as [Kind, string];
    const object = kind === 'Lease' ? await site.cluster.get(kind, placeOf(at)) : site.cache.get(kind, at);
    if (object === undefined) return undefined;
    if (isWaiting(object)) await settle(site, object);
    if (object.metadata.deletionTimestamp === undefined && isOrphan(object, site.cache)) {
      await site.cluster.delete(kind, placeOf(at), { uid: object.metadata.uid ?? '' });
    }
    return undefined;
  },
});

const nameOf = (object: Resource): string => `${object.kind} ${keyOf(object)}`;

function concerned(object: Resource, cache: Cache): readonly string[] {
  return [...itself(object, cache), ...dependents(object, cache), ...waitingOwners(object, cache)];
}

function itself(object: Resource, cache: Cache): readonly string[] {
  return isOrphan(object, cache) || isWaiting(object) ? [nameOf(object)] : [];
}

/** An owner that is gone concerns what it owned; a node's Lease too, though the many Leases are not in the cache. */
function dependents(object: Resource, cache: Cache): readonly string[] {
  if (cache.get(object.kind, keyOf(object))?.metadata.uid === object.metadata.uid) return [];
  const owned = [...cache.ownedBy(object.metadata.uid)].map(nameOf);
  return object.kind === 'Node' ? [...owned, `Lease ${leaseNamespace}/${object.metadata.name}`] : owned;
}

/** Owners that cannot go before this has gone. */
function waitingOwners({ metadata }: Resource, cache: Cache): readonly string[] {
  return (metadata.ownerReferences ?? []).flatMap((owner) => {
    const object = isKnown(owner.kind) ? cache.get(owner.kind, keyOfOwner(owner, metadata.namespace)) : undefined;
    return object !== undefined && isWaiting(object) ? [nameOf(object)] : [];
  });
}

const [orphaning, foreground] = ['orphan', 'foregroundDeletion'];

/** Deleted, and held by one of the garbage collector's own finalizers. */
function isWaiting({ metadata }: Resource): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  return metadata.finalizers?.some((one) => one === orphaning || one === foreground) === true;
}

/** Orphans are let go; in the foreground the dependents go first, and their owner when the last that blocks it is gone. */
async function settle(site: Site, object: Resource): Promise<void> {
  const { finalizers = [], uid = '' } = object.metadata;
  const those = [...site.cache.ownedBy(uid)];
  if (finalizers.includes(orphaning)) {
    for (const one of those) await disown(site, one, uid);
    await withoutFinalizer(site, object, orphaning);
    return;
  }
  for (const { kind, metadata } of those.filter((one) => one.metadata.deletionTimestamp === undefined)) {
    const options = { uid: metadata.uid ?? '', propagationPolicy: 'Foreground' } as const;
    await site.cluster.delete(kind, placeOf(keyOf({ kind, metadata } as Resource)), options);
  }
  if (!those.some((one) => blocks(one, uid))) await withoutFinalizer(site, object, foreground);
}

const blocks = ({ metadata }: Resource, uid: string): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true) === true;

async function disown(site: Site, object: Resource, uid: string): Promise<void> {
  const ownerReferences = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
  const value = { metadata: { ownerReferences } };
  await site.cluster.patch(object.kind, placeOf(keyOf(object)), { type: 'merge', value });
}

async function withoutFinalizer(site: Site, object: Resource, finalizer: string): Promise<void> {
  const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  await site.cluster.patch(object.kind, placeOf(keyOf(object)), { type: 'merge', value: { metadata: { finalizers } } });
}

function isOrphan({ metadata }: Resource, cache: Cache): boolean {
  const references = metadata.ownerReferences ?? [];
  return references.length > 0 && references.every((owner) => !isThere(owner, metadata.namespace, cache));
}

interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** An owner of a kind that is not watched here is taken to be there. */
function isThere(owner: Owner, namespace: string | undefined, cache: Cache): boolean {
  if (!isKnown(owner.kind)) return true;
  return cache.get(owner.kind, keyOfOwner(owner, namespace))?.metadata.uid === owner.uid;
}

const isKnown = (kind: string): kind is (typeof owners)[number] => owners.some((one) => one === kind);

const namespaceless = new Set(['NodePool', 'NodeClaim', 'Node']);

function keyOfOwner({ kind, name }: Owner, namespace: string | undefined): string {
  return namespaceless.has(kind) || namespace === undefined ? name : `${namespace}/${name}`;
}
