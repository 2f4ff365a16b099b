import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../cluster/resources.ts';
import { type Cache, keyOf } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { isActive, isPodReady } from '../objects/pods.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { instantOf } from '../objects/timestamps.ts';
import { untolerated } from '../scheduling/taints.ts';
import { isBeingDisrupted, nodeOf, reschedulablePods } from './cluster-state.ts';
import { hasDoNotDisrupt } from './do-not-disrupt.ts';
import { disruptedTaint, wellKnown } from './well-known.ts';

/** A node that may be disrupted, with everything that a method decides by (disruption/types.go, Candidate). */
export interface Candidate {
  readonly claim: NodeClaim;
  readonly node: Node;
  readonly pool: NodePool;
  /** The pods that need another node. */
  readonly pods: readonly Pod[];
}

/** A node is no candidate for this long after a pod event on it (pkg/controllers/state, nominationWindow: twice BATCH_MAX_DURATION). */
const nominationSeconds = 20;

/**
 * How far a method respects what blocks a node (disruption/types.go). `eventual`, which is drift's: pods do not block a claim
 * that has a terminationGracePeriod. `regardless` is no class of Karpenter's: nothing blocks, for a defect.
 */
export type DisruptionClass = 'graceful' | 'eventual' | 'regardless';

/** The initialized nodes that are not being disrupted, and that neither annotation nor PodDisruptionBudget blocks. */
export function candidates(
  cache: Cache,
  at: number,
  disruptionClass: DisruptionClass = 'graceful',
): readonly Candidate[] {
  return disruptable(cache).filter((candidate) => {
    if (disruptionClass === 'regardless') return true;
    if (isNominated(candidate, at) || hasDoNotDisrupt(candidate.node, at)) return false;
    const isBounded = disruptionClass === 'eventual' && candidate.claim.spec.terminationGracePeriod !== undefined;
    return isBounded || podBlocker(candidate, cache, at) === undefined;
  });
}

/** A node that is blocked, with the message of Karpenter's event DisruptionBlocked. */
export interface Blocked {
  readonly candidate: Candidate;
  readonly message: string;
}

/** The nodes that would be candidates if nothing blocked them. */
export function blocked(cache: Cache, at: number): readonly Blocked[] {
  return disruptable(cache).flatMap((candidate) => {
    const message = hasDoNotDisrupt(candidate.node, at)
      ? `Disruption is blocked through the "${wellKnown.doNotDisrupt}" annotation`
      : podBlocker(candidate, cache, at);
    return message === undefined ? [] : [{ candidate, message }];
  });
}

function disruptable(cache: Cache): readonly Candidate[] {
  return [...cache.list('NodeClaim')].flatMap((claim) => {
    const node = nodeOf(claim, cache);
    const pool = cache.get('NodePool', claim.metadata.labels?.[wellKnown.nodePool] ?? '');
    if (node === undefined || pool === undefined || !isTrue(claim, 'Initialized') || isBeingDisrupted(claim, cache))
      return [];
    return [{ claim, node, pool, pods: reschedulablePods(node.metadata.name, cache) }];
  });
}

function isNominated({ claim }: Candidate, at: number): boolean {
  const lastEventAt = instantOf(claim.status?.lastPodEventTime ?? '1970-01-01T00:00:00Z');
  return at < lastEventAt + 1000 * nominationSeconds;
}

/** The message about the first pod that blocks its node. */
function podBlocker({ node }: Candidate, cache: Cache, at: number): string | undefined {
  for (const pod of cache.podsOn(node.metadata.name)) {
    if (!isActive(pod)) continue;
    if (hasDoNotDisrupt(pod, at)) return `Pod has "${wellKnown.doNotDisrupt}" annotation (Pod=${keyOf(pod)})`;
    const budgets = untolerated(pod.spec, [disruptedTaint]) === undefined ? [] : budgetsRefusing(pod, cache);
    if (budgets.length > 0) return `Pdb prevents pod evictions (PodDisruptionBudget=${budgets.map(keyOf).join(',')})`;
  }
  return undefined;
}

/** The PodDisruptionBudgets that would refuse its eviction now: one that allows none, or more than one (pdb.go, CanEvictPods). */
function budgetsRefusing(pod: Pod, cache: Cache): readonly PodDisruptionBudget[] {
  const budgets = [...cache.inNamespace('PodDisruptionBudget', pod.metadata.namespace)].filter(({ spec }) =>
    selectorMatches(pod.metadata.labels, spec.selector),
  );
  if (budgets.length > 1) return budgets;
  return budgets.filter(
    ({ spec, status }) =>
      (status?.disruptionsAllowed ?? 0) <= 0 && (isPodReady(pod) || spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow'),
  );
}
