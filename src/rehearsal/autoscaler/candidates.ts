import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Node, Pod } from '../../cluster/resources.ts';
import type { Cache } from '../cache.ts';
import { isTrue } from '../conditions.ts';
import { isTerminating } from '../pods.ts';
import { selectorMatches } from '../selectors.ts';
import { instantOf } from '../timestamps.ts';
import { isLeaving, nodeOf, reschedulablePods } from './cluster-state.ts';
import { words } from './words.ts';

/** A node that may be disrupted now, with everything a method decides by. */
export interface Candidate {
  readonly claim: NodeClaim;
  readonly node: Node;
  readonly pool: NodePool;
  readonly pods: readonly Pod[];
}

/** A node that got a pod less than this long ago is left alone (state: nominationWindow, 2 × the longest batch). */
const nominationSeconds = 20;

/** Whoever is initialized, stays, and is held by nothing: no annotation, no budget of its pods (disruption/types.go). */
export function candidates(cache: Cache, at: number, heedsBlockers = true): readonly Candidate[] {
  return [...cache.list('NodeClaim')].flatMap((claim) => {
    const node = nodeOf(claim, cache);
    const pool = cache.get('NodePool', claim.metadata.labels?.[words.nodePool] ?? '');
    if (node === undefined || pool === undefined || !isTrue(claim, 'Initialized') || isLeaving(claim, cache)) return [];
    const candidate = { claim, node, pool, pods: reschedulablePods(node.metadata.name, cache) };
    return heedsBlockers && isHeld(candidate, cache, at) ? [] : [candidate];
  });
}

function isHeld({ claim, node, pods }: Candidate, cache: Cache, at: number): boolean {
  const lastEventAt = instantOf(claim.status?.lastPodEventTime ?? '1970-01-01T00:00:00Z');
  const all = [...cache.podsOn(node.metadata.name)];
  return (
    at < lastEventAt + 1000 * nominationSeconds ||
    [node, ...all].some(({ metadata }) => metadata.annotations?.[words.doNotDisrupt] === 'true') ||
    pods.some((pod) => isProtected(pod, cache))
  );
}

/** A disruption budget would refuse its eviction now. */
function isProtected(pod: Pod, cache: Cache): boolean {
  const budgets = [...cache.inNamespace('PodDisruptionBudget', pod.metadata.namespace)].filter(({ spec }) =>
    selectorMatches(pod.metadata.labels, spec.selector),
  );
  return (
    !isTerminating(pod) && (budgets.length > 1 || budgets.some(({ status }) => (status?.disruptionsAllowed ?? 0) <= 0))
  );
}
