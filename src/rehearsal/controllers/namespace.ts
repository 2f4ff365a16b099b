import { type Kind, kindPlaces, type Resource } from '../../cluster/kinds.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { defaultGraceSeconds } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';

/** Deletes everything in a deleted Namespace, then removes its finalizer (pkg/controller/namespace). */
export const namespace = reconciler({
  name: 'namespace',
  watches: { Namespace: (object) => (object.metadata.deletionTimestamp === undefined ? [] : [object.metadata.name]) },
  reaction: 'namespaceDeletion',
  reconcile: async (site, name) => {
    const object = site.cache.get('Namespace', name);
    if (object?.metadata.deletionTimestamp === undefined) return undefined;
    await deleteContents(site, name);
    const left = await contentsOf(site, name);
    if (left.length > 0) return lookAgainSeconds(left) ?? site.delay('controllerRetry');
    const value = { spec: { finalizers: [] } };
    await site.cluster.patch('Namespace', { name }, { type: 'merge', value });
    return undefined;
  },
});

/** How long a finalizer is taken to need, in seconds (namespaced_resources_deleter.go, finalizerEstimateSeconds). */
const finalizerSeconds = 15;

/** Half of the longest time that a pod or a finalizer is taken to need, and a second (namespace_controller.go). Undefined: nothing is known. */
function lookAgainSeconds(left: readonly Resource[]): number | undefined {
  const estimates = left.map((object) => {
    const grace = object.kind === 'Pod' ? (object.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds) : 0;
    return Math.max(grace, (object.metadata.finalizers ?? []).length > 0 ? finalizerSeconds : 0);
  });
  const longest = Math.max(...estimates);
  return longest > 0 ? Math.floor(longest / 2) + 1 : undefined;
}

/** These kinds are computed for each request: nothing is stored that could be deleted. */
const virtual: ReadonlySet<Kind> = new Set<Kind>(['PodMetrics', 'SelfSubjectAccessReview']);

/** What is in the namespace. */
async function contentsOf(site: Site, namespace: string): Promise<readonly Resource[]> {
  const kinds = (Object.keys(kindPlaces) as Kind[]).filter((kind) => kindPlaces[kind].namespaced && !virtual.has(kind));
  const lists = await Promise.all(kinds.map((kind) => site.cluster.list(kind, { namespace })));
  return lists.flat() as readonly Resource[];
}

async function deleteContents(site: Site, namespace: string): Promise<void> {
  for (const object of await contentsOf(site, namespace)) {
    const { deletionTimestamp, uid = '' } = object.metadata;
    if (deletionTimestamp === undefined)
      await site.cluster.delete(object.kind, placeOf(keyOf(object)), { uid, propagationPolicy: 'Background' });
  }
}
