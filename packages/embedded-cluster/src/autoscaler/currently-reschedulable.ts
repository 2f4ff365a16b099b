import type { Pod, PodDisruptionBudget } from '../kubernetes/resources.ts';
import type { Cache } from '../objects/cache.ts';
import { isPodReady } from '../objects/pods.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { untolerated } from '../scheduling/taints.ts';
import { hasDoNotDisrupt } from './do-not-disrupt.ts';
import { disruptedTaint } from './well-known.ts';

/**
 * Whether a pod of a node that goes gets room elsewhere now: not while its annotation or a budget that never allows an eviction keeps it, because
 * nobody knows when it will go (utils/pdb/pdb.go, IsCurrentlyReschedulable).
 */
export function isCurrentlyReschedulable(pod: Pod, cache: Cache, at: number): boolean {
  return !hasDoNotDisrupt(pod, at) && !isFullyBlocked(pod, cache);
}

function isFullyBlocked(pod: Pod, cache: Cache): boolean {
  if (untolerated(pod.spec, [disruptedTaint]) === undefined) return false;
  return [...cache.inNamespace('PodDisruptionBudget', pod.metadata.namespace)].some(
    ({ spec }) =>
      selectorMatches(pod.metadata.labels, spec.selector) &&
      neverAllows(spec) &&
      (isPodReady(pod) || spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow'),
  );
}

/** By what the budget says, not by its status: `maxUnavailable` 0 or 0%, `minAvailable` 100%. */
const neverAllows = ({ maxUnavailable, minAvailable }: PodDisruptionBudget['spec']): boolean =>
  maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%';
