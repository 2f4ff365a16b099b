import type { NodeClaim, NodePool } from '../kubernetes/autoscaler.ts';
import type { Node, Pod, PodDisruptionBudget } from '../kubernetes/resources.ts';
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

/**
 * A node is no candidate for this long after a pod event on it (pkg/controllers/state, nominationWindow: twice
 * BATCH_MAX_DURATION).
 */
const nominationSeconds = 20;

/**
 * How far a method respects what blocks a node (disruption/types.go). `eventual`, which is drift's: pods do not block a
 * claim that has a terminationGracePeriod. `regardless` is not one of Karpenter's classes: nothing blocks; it exists
 * for a defect.
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
    return isBounded || podBlocker(candidate.node, cache, at) === undefined;
  });
}

/** A node that is blocked, with the message of Karpenter's event DisruptionBlocked. */
export interface Blocked {
  readonly claim: NodeClaim;
  readonly node: Node | undefined;
  readonly message: string;
}

/** The claims that are no candidates, and why; one whose pool is gone is not looked at. */
export function blocked(cache: Cache, at: number): readonly Blocked[] {
  return [...cache.list('NodeClaim')].flatMap((claim) => {
    if (cache.get('NodePool', claim.metadata.labels?.[wellKnown.nodePool] ?? '') === undefined) return [];
    const node = nodeOf(claim, cache);
    const message = obstacle(claim, node, cache, at);
    return message === undefined ? [] : [{ claim, node, message }];
  });
}

/**
 * The first reason against a disruption, in Karpenter's order and words (state/statenode.go, ValidateNodeDisruptable);
 * none for a command's own nodes.
 */
function obstacle(claim: NodeClaim, node: Node | undefined, cache: Cache, at: number): string | undefined {
  if (node === undefined) return 'Nodeclaim does not have an associated node';
  if (!isTrue(claim, 'Initialized')) return "Node isn't initialized";
  if (claim.metadata.deletionTimestamp !== undefined) return 'Node is deleting or marked for deletion';
  if (isBeingDisrupted(claim, cache)) return undefined;
  if (hasDoNotDisrupt(node, at)) return `Disruption is blocked through the "${wellKnown.doNotDisrupt}" annotation`;
  return podBlocker(node, cache, at);
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
function podBlocker(node: Node, cache: Cache, at: number): string | undefined {
  for (const pod of cache.podsOn(node.metadata.name)) {
    if (!isActive(pod)) continue;
    if (hasDoNotDisrupt(pod, at)) return `Pod has "${wellKnown.doNotDisrupt}" annotation (Pod=${keyOf(pod)})`;
    const budgets = untolerated(pod.spec, [disruptedTaint]) === undefined ? [] : budgetsRefusing(pod, cache);
    if (budgets.length > 0) return refusal(budgets);
  }
  return undefined;
}

function refusal(budgets: readonly PodDisruptionBudget[]): string {
  const keys = `[${budgets.map(keyOf).join(' ')}]`;
  return budgets.length > 1
    ? `Eviction does not support multiple PDBs (PodDisruptionBudget(s)=${keys})`
    : `Pdb prevents pod evictions (PodDisruptionBudget=${keys})`;
}

/**
 * The PodDisruptionBudgets that would refuse its eviction now: one that allows none, or more than one (pdb.go,
 * CanEvictPods).
 */
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
