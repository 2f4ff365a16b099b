import type { Pod, PodDisruptionBudget } from '../../cluster/resources.ts';
import { type Cache, keyOf, placeOf } from '../cache.ts';
import { controllerOf } from '../owners.ts';
import { isFinished, isPodReady, isTerminating } from '../pods.ts';
import { selectorMatches } from '../selectors.ts';
import { instantOf } from '../timestamps.ts';
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
    const value = {
      status: { ...countsOf(budget, site.cache, disrupted), disruptedPods: replacing(budget, disrupted) },
    };
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

function countsOf(budget: PodDisruptionBudget, cache: Cache, disrupted: Readonly<Record<string, string>>) {
  const pods = podsOf(budget, cache);
  const currentHealthy = pods.filter(
    (pod) => isPodReady(pod) && !isTerminating(pod) && disrupted[pod.metadata.name] === undefined,
  ).length;
  const { expectedPods, desiredHealthy } = wantedOf(budget, pods, cache);
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation ?? 1;
  return { observedGeneration, disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
}

/** A whole `minAvailable` looks at the pods that are there; percentages and `maxUnavailable` at the scale that is wanted. */
function wantedOf({ spec }: PodDisruptionBudget, pods: readonly Pod[], cache: Cache) {
  if (typeof spec.minAvailable === 'number') {
    return { expectedPods: pods.length, desiredHealthy: spec.minAvailable };
  }
  const expectedPods = scaleOf(pods, cache);
  if (spec.maxUnavailable === undefined) {
    return { expectedPods, desiredHealthy: portion(spec.minAvailable ?? 1, expectedPods, Math.ceil) };
  }
  return {
    expectedPods,
    desiredHealthy: Math.max(0, expectedPods - portion(spec.maxUnavailable, expectedPods, Math.ceil)),
  };
}

function scaleOf(pods: readonly Pod[], cache: Cache): number {
  const owners = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    const set = owner && cache.get('ReplicaSet', `${pod.metadata.namespace}/${owner.name}`);
    owners.set(owner?.uid ?? keyOf(pod), set === undefined ? 1 : (set.spec.replicas ?? 1));
  }
  return [...owners.values()].reduce((sum, count) => sum + count, 0);
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
