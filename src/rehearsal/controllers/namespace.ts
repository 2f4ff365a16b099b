import { type Kind, kindPlaces } from '../../cluster/kinds.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';

/** Deletes everything in a deleted Namespace, then removes its finalizer (pkg/controller/namespace). */
export const namespace = reconciler({
  name: 'namespace',
  watches: { Namespace: (object) => (object.metadata.deletionTimestamp === undefined ? [] : [object.metadata.name]) },
  reaction: 'controllerReaction',
  reconcile: async (site, name) => {
    const object = site.cache.get('Namespace', name);
    if (object?.metadata.deletionTimestamp === undefined) return undefined;
    if (await deleteContents(site, name)) {
      const value = { spec: { finalizers: [] } };
      await site.cluster.patch('Namespace', { name }, { type: 'merge', value });
      return undefined;
    }
    return site.delay('controllerRetry');
  },
});

/** These kinds are computed for each request: nothing is stored that could be deleted. */
const virtual: ReadonlySet<Kind> = new Set<Kind>(['PodMetrics', 'SelfSubjectAccessReview']);

/** Deletes the objects in the namespace; true when there was none. */
async function deleteContents(site: Site, namespace: string): Promise<boolean> {
  let isEmpty = true;
  for (const kind of Object.keys(kindPlaces) as Kind[]) {
    if (!kindPlaces[kind].namespaced || virtual.has(kind)) continue;
    for (const object of await site.cluster.list(kind, { namespace })) {
      isEmpty = false;
      const { deletionTimestamp, uid = '' } = object.metadata;
      if (deletionTimestamp === undefined) await site.cluster.delete(kind, placeOf(keyOf(object)), { uid });
    }
  }
  return isEmpty;
}
