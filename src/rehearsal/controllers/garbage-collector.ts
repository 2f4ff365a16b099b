import type { Kind, Resource } from '../../cluster/kinds.ts';
import { type Cache, keyOf, placeOf } from '../cache.ts';
import { leaseNamespace } from './kubelet-lease.ts';
import { reconciler } from './reconciler.ts';

/** The kinds whose objects own others here, and those that are owned. */
const owners = ['Deployment', 'ReplicaSet', 'DaemonSet', 'Service', 'NodePool', 'NodeClaim', 'Node'] as const;
const owned = ['ReplicaSet', 'Pod', 'EndpointSlice', 'NodeClaim', 'Node'] as const;

/** Deletes what names only owners that are gone (background propagation, pkg/controller/garbagecollector). */
export const garbageCollector = reconciler({
  name: 'garbage-collector',
  watches: {
    ...Object.fromEntries(owners.map((kind) => [kind, dependents])),
    ...Object.fromEntries(
      owned.map((kind) => [
        kind,
        (object: Resource, cache: Cache) => [...itself(object, cache), ...dependents(object, cache)],
      ]),
    ),
  },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const [kind, at] = key.split(' ') as [Kind, string];
    const object = kind === 'Lease' ? await site.cluster.get(kind, placeOf(at)) : site.cache.get(kind, at);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
    if (!isOrphan(object, site.cache)) return undefined;
    await site.cluster.delete(kind, placeOf(at), { uid: object.metadata.uid ?? '' });
    return undefined;
  },
});

const nameOf = (object: Resource): string => `${object.kind} ${keyOf(object)}`;

/** An owner that is gone concerns what it owned; a node's Lease too, though the many Leases are not in the cache. */
function dependents(object: Resource, cache: Cache): readonly string[] {
  if (cache.get(object.kind, keyOf(object))?.metadata.uid === object.metadata.uid) return [];
  const owned = [...cache.ownedBy(object.metadata.uid)].map(nameOf);
  return object.kind === 'Node' ? [...owned, `Lease ${leaseNamespace}/${object.metadata.name}`] : owned;
}

function itself(object: Resource, cache: Cache): readonly string[] {
  return isOrphan(object, cache) ? [nameOf(object)] : [];
}

function isOrphan({ metadata }: Resource, cache: Cache): boolean {
  const references = metadata.ownerReferences ?? [];
  return references.length > 0 && references.every((owner) => !isThere(owner, metadata.namespace, cache));
}

/** An owner of a kind that is not watched here is taken to be there. */
function isThere(
  owner: { kind: string; name: string; uid: string },
  namespace: string | undefined,
  cache: Cache,
): boolean {
  if (!owners.some((kind) => kind === owner.kind)) return true;
  const key = namespaceless.has(owner.kind) || namespace === undefined ? owner.name : `${namespace}/${owner.name}`;
  return cache.get(owner.kind as Kind, key)?.metadata.uid === owner.uid;
}
const namespaceless = new Set(['NodePool', 'NodeClaim', 'Node']);
