import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../cluster/resources.ts';
import { type Cache, keyOf } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { isActive, isPodReady } from '../objects/pods.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { instantOf } from '../objects/timestamps.ts';
import { untolerated } from '../scheduling/taints.ts';
import { isLeaving, nodeOf, reschedulablePods } from './cluster-state.ts';
import { isNotToBeDisrupted } from './do-not-disrupt.ts';
import { disruptedTaint, words } from './words.ts';

/** A node that may be disrupted now, with everything a method decides by. */
export interface Candidate {
  readonly claim: NodeClaim;
  readonly node: Node;
  readonly pool: NodePool;
  readonly pods: readonly Pod[];
}

/** A node that got a pod less than this long ago is left alone (state: nominationWindow, 2 × the longest batch). */
const nominationSeconds = 20;

/**
 * How far a method heeds what holds a node: drift goes on past pods that hold it where the claim has a terminationGracePeriod,
 * because that ends their wait (disruption/types.go).
 */
export type DisruptionClass = 'graceful' | 'eventual' | 'regardless';

/** Whoever is initialized, stays, and is held by nothing: no annotation, no budget of its pods (disruption/types.go). */
export function candidates(cache: Cache, at: number, how: DisruptionClass = 'graceful'): readonly Candidate[] {
  return disruptable(cache).filter((candidate) => {
    if (how === 'regardless') return true;
    if (isNominated(candidate, at) || isNotToBeDisrupted(candidate.node, at)) return false;
    const isBounded = how === 'eventual' && candidate.claim.spec.terminationGracePeriod !== undefined;
    return isBounded || podInTheWay(candidate, cache, at) === undefined;
  });
}

/** A node that is held, and by what, in Karpenter's words. */
export interface Held {
  readonly candidate: Candidate;
  readonly why: string;
}

/** The nodes that would be candidates if nothing held them. */
export function held(cache: Cache, at: number): readonly Held[] {
  return disruptable(cache).flatMap((candidate) => {
    const why = isNotToBeDisrupted(candidate.node, at)
      ? `Disruption is blocked through the "${words.doNotDisrupt}" annotation`
      : podInTheWay(candidate, cache, at);
    return why === undefined ? [] : [{ candidate, why }];
  });
}

function disruptable(cache: Cache): readonly Candidate[] {
  return [...cache.list('NodeClaim')].flatMap((claim) => {
    const node = nodeOf(claim, cache);
    const pool = cache.get('NodePool', claim.metadata.labels?.[words.nodePool] ?? '');
    if (node === undefined || pool === undefined || !isTrue(claim, 'Initialized') || isLeaving(claim, cache)) return [];
    return [{ claim, node, pool, pods: reschedulablePods(node.metadata.name, cache) }];
  });
}

function isNominated({ claim }: Candidate, at: number): boolean {
  const lastEventAt = instantOf(claim.status?.lastPodEventTime ?? '1970-01-01T00:00:00Z');
  return at < lastEventAt + 1000 * nominationSeconds;
}

function podInTheWay({ node }: Candidate, cache: Cache, at: number): string | undefined {
  for (const pod of cache.podsOn(node.metadata.name)) {
    if (!isActive(pod)) continue;
    if (isNotToBeDisrupted(pod, at)) return `Pod has "${words.doNotDisrupt}" annotation (Pod=${keyOf(pod)})`;
    const budgets = untolerated(pod.spec, [disruptedTaint]) === undefined ? [] : budgetsAgainst(pod, cache);
    if (budgets.length > 0) return `Pdb prevents pod evictions (PodDisruptionBudget=${budgets.map(keyOf).join(',')})`;
  }
  return undefined;
}

/** The disruption budgets that would refuse its eviction now: one without room, or more than one (pdb.go, CanEvictPods). */
function budgetsAgainst(pod: Pod, cache: Cache): readonly PodDisruptionBudget[] {
  const budgets = [...cache.inNamespace('PodDisruptionBudget', pod.metadata.namespace)].filter(({ spec }) =>
    selectorMatches(pod.metadata.labels, spec.selector),
  );
  if (budgets.length > 1) return budgets;
  return budgets.filter(
    ({ spec, status }) =>
      (status?.disruptionsAllowed ?? 0) <= 0 && (isPodReady(pod) || spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow'),
  );
}
