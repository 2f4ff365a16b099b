import type { Pod, ReplicaSet } from '../kubernetes/resources.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { conditionOf } from '../objects/conditions.ts';
import { controlledBy, controllerOf, keysOfController } from '../objects/owners.ts';
import { isActive, isPodReady } from '../objects/pods.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';
import { delays } from '../time/delays.ts';
import { podOf } from './from-template.ts';

/** ReplicaSet → pods (pkg/controller/replicaset). A terminating pod is replaced at once. */
export const replicaSet = reconciler({
  name: 'replica-set',
  watches: {
    ReplicaSet: (object) => [keyOf(object)],
    Pod: (pod, cache) => [...keysOfController('ReplicaSet')(pod), ...adopters(pod, cache)],
  },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const set = site.cache.get('ReplicaSet', key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const pods = await claimPods(site, set);
    const missing = (set.spec.replicas ?? 1) - pods.length;
    for (let count = 0; count < missing; count += 1) await site.cluster.create(podOf(set, site.random));
    await Promise.all((missing < 0 ? deletionOrder(pods, site).slice(0, -missing) : []).map(deleteInTurn(site)));
    const { status, changesAt } = statusOf(set, pods, site.now());
    await site.cluster.patch(
      'ReplicaSet',
      placeOf(key),
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    );
    return changesAt === undefined ? undefined : (changesAt - site.now()) / 1000;
  },
});

/**
 * Each deletion is a request of its own, so that the first EndpointSlice without the pods is still with some of them:
 * watchers with a rate limit, as ingress-nginx, learn of those a period later (deleted in parallel by the controller,
 * replica_set.go, manageReplicas).
 */
const deleteInTurn = (site: Site) => async (pod: Pod, index: number) => {
  const seconds = index * delays.podDeletion.seconds[0];
  if (index > 0) await new Promise<void>((resolve) => site.after(seconds, resolve));
  await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '' });
};

/**
 * The set's active pods; releases pods that its selector no longer selects, and adopts orphans that it does
 * (ClaimPods).
 */
async function claimPods(site: Site, set: ReplicaSet): Promise<readonly Pod[]> {
  const own = podsOf(site.cache, set);
  const orphans = orphansFor(site.cache, set);
  const isSelected = ({ metadata }: Pod) => selectorMatches(metadata.labels, set.spec.selector);
  for (const pod of own.filter((one) => !isSelected(one))) await setOwner(site, pod, []);
  for (const pod of orphans) await setOwner(site, pod, [controlledBy(set)]);
  return [...own.filter(isSelected), ...orphans].filter(isActive);
}

async function setOwner(site: Site, pod: Pod, ownerReferences: readonly object[]): Promise<void> {
  const value = { metadata: { uid: pod.metadata.uid, ownerReferences } };
  await site.cluster.patch('Pod', placeOf(keyOf(pod)), { type: 'merge', value });
}

function podsOf(cache: Cache, { metadata: { uid } }: ReplicaSet): readonly Pod[] {
  const pods: Pod[] = [];
  for (const object of cache.ownedBy(uid))
    if (object.kind === 'Pod' && controllerOf(object)?.uid === uid) pods.push(object);
  return pods;
}

function orphansFor(cache: Cache, { metadata, spec }: ReplicaSet): readonly Pod[] {
  return [...cache.ownedBy('')].filter(
    (object): object is Pod =>
      object.kind === 'Pod' &&
      object.metadata.namespace === metadata.namespace &&
      isActive(object) &&
      selectorMatches(object.metadata.labels, spec.selector),
  );
}

/** The ReplicaSets that may adopt a pod without a controller. */
function adopters(pod: Pod, cache: Cache): readonly string[] {
  if (controllerOf(pod) !== undefined) return [];
  return [...cache.inNamespace('ReplicaSet', pod.metadata.namespace)]
    .filter(({ spec }) => selectorMatches(pod.metadata.labels, spec.selector))
    .map(keyOf);
}

/**
 * A pod is available when it has been ready for `minReadySeconds`; the next one is at `changesAt`, epoch milliseconds.
 */
function statusOf({ spec, metadata }: ReplicaSet, pods: readonly Pod[], at: number) {
  const ready = pods.filter(isPodReady);
  const seconds = spec.minReadySeconds ?? 0;
  const availableAt = (pod: Pod) => {
    const since = conditionOf(pod, 'Ready')?.lastTransitionTime;
    return since === undefined ? at : instantOf(since) + 1000 * seconds;
  };
  const later = seconds === 0 ? [] : ready.map(availableAt).filter((instant) => instant > at);
  const status = {
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: ready.length - later.length,
    observedGeneration: metadata.generation ?? 1,
  };
  return { status, changesAt: later.length === 0 ? undefined : Math.min(...later) };
}

/**
 * The order in which surplus pods are deleted: unassigned, pending, not ready, lower deletion cost, more pods of the
 * set on the same node, ready for a shorter time, more restarts, newer (controller_utils.go, ActivePodsWithRanks).
 */
export function deletionOrder(pods: readonly Pod[], site: Pick<Site, 'cache'>): readonly Pod[] {
  const keys = new Map(pods.map((pod) => [pod, ranksOf(pod, site)]));
  return [...pods].sort((a, b) => {
    const left = keys.get(a) ?? [];
    const right = keys.get(b) ?? [];
    const place = left.findIndex((rank, index) => rank !== right[index]);
    return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
  });
}

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

function ranksOf(pod: Pod, { cache }: Pick<Site, 'cache'>): readonly number[] {
  const { nodeName } = pod.spec;
  const owner = controllerOf(pod)?.uid;
  const siblings = nodeName === undefined ? [] : [...cache.podsOn(nodeName)];
  const readySince = conditionOf(pod, 'Ready')?.lastTransitionTime;
  const restarts = (pod.status?.containerStatuses ?? []).map(({ restartCount }) => restartCount);
  return [
    nodeName === undefined ? 0 : 1,
    pod.status?.phase === 'Running' ? 1 : 0,
    isPodReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.[deletionCost] ?? 0),
    -siblings.filter((sibling) => controllerOf(sibling)?.uid === owner && isActive(sibling)).length,
    -Date.parse(readySince ?? '1970-01-01T00:00:00Z'),
    -Math.max(0, ...restarts),
    -Date.parse(pod.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z'),
  ];
}
