import type { Deployment, Pod, PodDisruptionBudget, ReplicaSet } from '../../cluster/resources.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from './reconciler.ts';
import { portion } from './rollout.ts';

/** PodDisruptionBudget and pods → its status, which evictions count down (policy/v1, pkg/controller/disruption). */
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
        : { ...counts, conditions, disruptedPods: replacing(budget, disrupted) };
    const value = { status };
    await site.cluster.patch('PodDisruptionBudget', placeOf(key), { type: 'merge', value }, { subresource: 'status' });
    return Object.keys(disrupted).length > 0 ? disruptedForSeconds : undefined;
  },
});

/** An evicted pod that is not gone after this long counts again (DeletionTimeout). */
const disruptedForSeconds = 120;

function keysOfBudgets(pod: Pod, cache: Cache): readonly string[] {
  return [...cache.inNamespace('PodDisruptionBudget', pod.metadata.namespace)]
    .filter(({ spec }) => selectorMatches(pod.metadata.labels, spec.selector))
    .map(keyOf);
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

/** Or, where the scale that is wanted cannot be found out, why not. */
function countsOf(
  budget: PodDisruptionBudget,
  cache: Cache,
  disrupted: Readonly<Record<string, string>>,
): Counts | string {
  const pods = podsOf(budget, cache);
  const currentHealthy = pods.filter(
    (pod) => isPodReady(pod) && !isTerminating(pod) && disrupted[pod.metadata.name] === undefined,
  ).length;
  const wanted = wantedOf(budget, pods, cache);
  if (typeof wanted === 'string') return wanted;
  const { expectedPods, desiredHealthy } = wanted;
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

/** A whole `minAvailable` looks at the pods that are there; percentages and `maxUnavailable` at the scale that is wanted. */
function wantedOf({ spec }: PodDisruptionBudget, pods: readonly Pod[], cache: Cache) {
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable === undefined && maxUnavailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  if (maxUnavailable === undefined && typeof minAvailable === 'number') {
    return { expectedPods: pods.length, desiredHealthy: minAvailable };
  }
  const expectedPods = scaleOf(pods, cache);
  if (typeof expectedPods === 'string') return expectedPods;
  const portionUp = (value: number | string) => portion(value, expectedPods, Math.ceil);
  const desiredHealthy =
    maxUnavailable === undefined ? portionUp(minAvailable ?? 0) : Math.max(0, expectedPods - portionUp(maxUnavailable));
  return { expectedPods, desiredHealthy };
}

/**
 * What the pods' controllers want together: a Deployment once, however many sets it has just now; pods without a controller
 * do not count, and one whose controller has no scale is an error (getExpectedScale).
 */
function scaleOf(pods: readonly Pod[], cache: Cache): number | string {
  const scales = new Map<string, number>();
  for (const pod of pods.filter((one) => controllerOf(one) !== undefined)) {
    const scaled = scaledAbove(pod, cache);
    if (scaled === undefined) return `found no controllers for pod "${pod.metadata.name}"`;
    scales.set(scaled.metadata.uid ?? '', scaled.spec.replicas ?? 1);
  }
  return [...scales.values()].reduce((sum, count) => sum + count, 0);
}

/** What is scaled when that pod is to have more or fewer siblings. */
function scaledAbove(pod: Pod, cache: Cache): Deployment | ReplicaSet | undefined {
  const key = (name: string) => `${pod.metadata.namespace}/${name}`;
  const owner = controllerOf(pod);
  const set = owner?.kind === 'ReplicaSet' ? cache.get('ReplicaSet', key(owner.name)) : undefined;
  const above = set && controllerOf(set);
  return above?.kind === 'Deployment' ? cache.get('Deployment', key(above.name)) : set;
}

function stillDisrupted(budget: PodDisruptionBudget, cache: Cache, at: number): Readonly<Record<string, string>> {
  const pods = new Map(podsOf(budget, cache).map((pod) => [pod.metadata.name, pod]));
  return Object.fromEntries(
    Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, since]) => {
      const pod = pods.get(name);
      return pod !== undefined && !isTerminating(pod) && at < instantOf(since) + 1000 * disruptedForSeconds;
    }),
  );
}

/** As a merge patch: names that have left are null. */
function replacing(budget: PodDisruptionBudget, disrupted: Readonly<Record<string, string>>) {
  const gone = Object.keys(budget.status?.disruptedPods ?? {}).map((name) => [name, null]);
  return { ...Object.fromEntries(gone), ...disrupted };
}
