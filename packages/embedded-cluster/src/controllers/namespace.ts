import { type Kind, kindPlaces, type Resource } from '../kubernetes/kinds.ts';
import type { Namespace } from '../kubernetes/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { defaultGraceSeconds } from '../objects/pods.ts';
import { timestamp } from '../objects/timestamps.ts';
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
    if (await deleteContents(site, name)) return site.delay('namespaceContents');
    const left = await contentsOf(site, name);
    if (left.length > 0) {
      // A change of what the conditions say is an event, after which the namespace is looked at again as after its
      // deletion.
      const isNews = await tellWhatRemains(site, object, left);
      return isNews ? undefined : (lookAgainSeconds(left) ?? site.delay('controllerRetry'));
    }
    const value = { spec: { finalizers: [] } };
    await site.cluster.patch('Namespace', { name }, { type: 'merge', value });
    return undefined;
  },
});

/**
 * Writes the conditions of a namespace that is being emptied (status_condition_utils.go); whether any of them is new.
 */
async function tellWhatRemains(site: Site, object: Namespace, left: readonly Resource[]): Promise<boolean> {
  const told = conditionsOf(left);
  const before = object.status?.conditions ?? [];
  if (told.every((one) => before.some((old) => old.type === one.type && old.message === one.message))) return false;
  const lastTransitionTime = timestamp(site.now());
  const conditions = told.map((one) => ({ ...one, lastTransitionTime }));
  const value = { status: { conditions } };
  await site.cluster.patch(
    'Namespace',
    { name: object.metadata.name },
    { type: 'merge', value },
    { subresource: 'status' },
  );
  return true;
}

function conditionsOf(left: readonly Resource[]) {
  const resources = counted(left.map(resourceOf), 'has');
  const finalizers = counted(
    left.flatMap(({ metadata }) => metadata.finalizers ?? []),
    'in',
  );
  const remain = condition(
    'NamespaceContentRemaining',
    'True',
    'SomeResourcesRemain',
    `Some resources are remaining: ${resources}`,
  );
  const kept = `Some content in the namespace has finalizers remaining: ${finalizers}`;
  return [
    ...succeeded,
    remain,
    finalizers === ''
      ? condition(
          'NamespaceFinalizersRemaining',
          'False',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : condition('NamespaceFinalizersRemaining', 'True', 'SomeFinalizersRemain', kept),
  ];
}

/** Such as `pods. has 2 resource instances, replicasets.apps has 1 resource instances`. */
function counted(names: readonly string[], word: string): string {
  const counts = Object.entries(Object.groupBy(names, (name) => name)).map(
    ([name, all = []]) => `${name} ${word} ${all.length} resource instances`,
  );
  return counts.toSorted().join(', ');
}

const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
});

/** The conditions that never fail here. */
const succeeded = [
  condition(
    'NamespaceDeletionDiscoveryFailure',
    'False',
    'ResourcesDiscovered',
    'All resources successfully discovered',
  ),
  condition(
    'NamespaceDeletionGroupVersionParsingFailure',
    'False',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ),
  condition(
    'NamespaceDeletionContentFailure',
    'False',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ),
];

/** `pods.`, `replicasets.apps`. */
function resourceOf({ kind }: Resource): string {
  const { apiVersion, plural } = kindPlaces[kind as Kind];
  return `${plural}.${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''}`;
}

/** How long a finalizer is taken to need, in seconds (namespaced_resources_deleter.go, finalizerEstimateSeconds). */
const finalizerSeconds = 15;

/**
 * Half of the longest time that a pod or a finalizer is taken to need, and a second (namespace_controller.go).
 * Undefined: nothing is known.
 */
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

/** Deletes what is not being deleted yet; whether there was any. */
async function deleteContents(site: Site, namespace: string): Promise<boolean> {
  const fresh = (await contentsOf(site, namespace)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (const object of fresh) {
    const { uid = '' } = object.metadata;
    await site.cluster.delete(object.kind, placeOf(keyOf(object)), { uid, propagationPolicy: 'Background' });
  }
  return fresh.length > 0;
}
