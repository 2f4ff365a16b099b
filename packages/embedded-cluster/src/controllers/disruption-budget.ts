import type { Deployment, Pod, PodDisruptionBudget, ReplicaSet } from '../kubernetes/resources.ts';
import type { StatefulSet } from '../kubernetes/stateful-set.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { portion } from '../workloads/rollout.ts';

/** PodDisruptionBudget and pods → its status, from which evictions subtract (pkg/controller/disruption). */
export const disruptionBudget = reconciler({
  name: 'disruption-budget',
  watches: { PodDisruptionBudget: (object) => [keyOf(object)], Pod: keysOfBudgets },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const budget = site.cache.get('PodDisruptionBudget', key);
    if (budget === undefined) return undefined;
    const disrupted = stillDisrupted(budget, site.cache, site.now());
    const counts = countsOf(budget, site.cache, disrupted);
    const conditions = withConditions(budget.status?.conditions, [conditionFor(budget, counts)], site.now());
    const status =
      typeof counts === 'string'
        ? { disruptionsAllowed: 0, conditions }
        : { ...counts, conditions, disruptedPods: disruptedPatch(budget, disrupted) };
    const value = { status };
    await site.cluster.patch('PodDisruptionBudget', placeOf(key), { type: 'merge', value }, { subresource: 'status' });
    return Object.keys(disrupted).length > 0 ? deletionTimeoutSeconds : undefined;
  },
});

/** An evicted pod that is not terminating after this long counts as healthy again (DeletionTimeout). */
const deletionTimeoutSeconds = 120;

/**
 * A pod with several budgets cannot be evicted, and each of its changes counts in an arbitrary one of them
 * (disruption.go, getPdbForPod).
 */
function keysOfBudgets(pod: Pod, cache: Cache): readonly string[] {
  const keys = [...cache.inNamespace('PodDisruptionBudget', pod.metadata.namespace)]
    .filter(({ spec }) => selectorMatches(pod.metadata.labels, spec.selector))
    .map(keyOf);
  const chosen = keys[Number(pod.metadata.resourceVersion ?? 0) % keys.length];
  return chosen === undefined ? [] : [chosen];
}

function podsOf(budget: PodDisruptionBudget, cache: Cache): readonly Pod[] {
  return [...cache.inNamespace('Pod', budget.metadata.namespace)].filter(
    (pod) => selectorMatches(pod.metadata.labels, budget.spec.selector) && !isFinished(pod),
  );
}

interface Counts {
  readonly observedGeneration: number;
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
}

/** The counts of the status; or a message when the expected scale cannot be determined. */
function countsOf(
  budget: PodDisruptionBudget,
  cache: Cache,
  disrupted: Readonly<Record<string, string>>,
): Counts | string {
  const pods = podsOf(budget, cache);
  const currentHealthy = pods.filter(
    (pod) => isPodReady(pod) && !isTerminating(pod) && disrupted[pod.metadata.name] === undefined,
  ).length;
  const desired = desiredOf(budget, pods, cache);
  if (typeof desired === 'string') return desired;
  const { expectedPods, desiredHealthy } = desired;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation ?? 1;
  return { observedGeneration, disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
}

function conditionFor(budget: PodDisruptionBudget, counts: Counts | string): Stated {
  const type = 'DisruptionAllowed';
  const observedGeneration = budget.metadata.generation ?? 1;
  if (typeof counts === 'string')
    return { type, status: 'False', reason: 'SyncFailed', message: counts, observedGeneration };
  return counts.disruptionsAllowed > 0
    ? { type, status: 'True', reason: 'SufficientPods', message: '', observedGeneration }
    : { type, status: 'False', reason: 'InsufficientPods', message: '', observedGeneration };
}

/** An integer `minAvailable` counts existing pods; percentages and `maxUnavailable` use the expected scale. */
function desiredOf({ spec }: PodDisruptionBudget, pods: readonly Pod[], cache: Cache) {
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable === undefined && maxUnavailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  if (maxUnavailable === undefined && typeof minAvailable === 'number') {
    return { expectedPods: pods.length, desiredHealthy: minAvailable };
  }
  const expectedPods = scaleOf(pods, cache);
  if (typeof expectedPods === 'string') return expectedPods;
  const roundedUp = (value: number | string) => portion(value, expectedPods, Math.ceil);
  const desiredHealthy =
    maxUnavailable === undefined ? roundedUp(minAvailable ?? 0) : Math.max(0, expectedPods - roundedUp(maxUnavailable));
  return { expectedPods, desiredHealthy };
}

/**
 * The sum of the replicas of the pods' controllers: a Deployment counts once, however many sets it has; pods without a
 * controller do not count. A message when a controller has no scale (getExpectedScale).
 */
function scaleOf(pods: readonly Pod[], cache: Cache): number | string {
  const scales = new Map<string, number>();
  for (const pod of pods.filter((one) => controllerOf(one) !== undefined)) {
    const owner = scaleOwner(pod, cache);
    if (owner === undefined) return `found no controllers for pod "${pod.metadata.name}"`;
    scales.set(owner.metadata.uid ?? '', owner.spec.replicas ?? 1);
  }
  return [...scales.values()].reduce((sum, count) => sum + count, 0);
}

/** The object whose scale the pod belongs to: its StatefulSet, its Deployment, or its ReplicaSet without one. */
function scaleOwner(pod: Pod, cache: Cache): Deployment | ReplicaSet | StatefulSet | undefined {
  const key = (name: string) => `${pod.metadata.namespace}/${name}`;
  const owner = controllerOf(pod);
  if (owner?.kind === 'StatefulSet') return cache.get('StatefulSet', key(owner.name));
  const set = owner?.kind === 'ReplicaSet' ? cache.get('ReplicaSet', key(owner.name)) : undefined;
  const above = set && controllerOf(set);
  return above?.kind === 'Deployment' ? cache.get('Deployment', key(above.name)) : set;
}

function stillDisrupted(budget: PodDisruptionBudget, cache: Cache, at: number): Readonly<Record<string, string>> {
  const pods = new Map(podsOf(budget, cache).map((pod) => [pod.metadata.name, pod]));
  return Object.fromEntries(
    Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, since]) => {
      const pod = pods.get(name);
      return pod !== undefined && !isTerminating(pod) && at < instantOf(since) + 1000 * deletionTimeoutSeconds;
    }),
  );
}

/** As a merge patch: removed names are null. */
function disruptedPatch(budget: PodDisruptionBudget, disrupted: Readonly<Record<string, string>>) {
  const gone = Object.keys(budget.status?.disruptedPods ?? {}).map((name) => [name, null]);
  return { ...Object.fromEntries(gone), ...disrupted };
}
