import type { NodeClaim, NodePool } from '../kubernetes/autoscaler.ts';
import type { Node, Pod, PodDisruptionBudget, Taint } from '../kubernetes/resources.ts';
import { type Cache, keyOf } from '../objects/cache.ts';
import { conditionOf, isTrue } from '../objects/conditions.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { amounts } from '../objects/quantities.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { type NodeInfo, nodeInfoOf } from '../scheduling/node-info.ts';
import { notReadyTaint, uninitializedTaint, unreachableTaint, untolerated } from '../scheduling/taints.ts';
import { volumeNeedsOf } from '../scheduling/volumes.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import { hasDoNotDisrupt } from './do-not-disrupt.ts';
import { isWithin, roomOf } from './limits.ts';
import { type Offering, offeringsOf } from './offering.ts';
import type { PoolOfferings } from './packing.ts';
import { disruptedTaint, unregisteredTaint, wellKnown } from './well-known.ts';

/** The claim's Node (Karpenter's own view of the cluster is pkg/controllers/state). */
export const nodeOf = (claim: NodeClaim, cache: Cache): Node | undefined =>
  claim.status?.nodeName === undefined ? undefined : cache.get('Node', claim.status.nodeName);

export const claimsOf = (pool: NodePool, cache: Cache): readonly NodeClaim[] =>
  [...cache.list('NodeClaim')].filter(({ metadata }) => metadata.labels?.[wellKnown.nodePool] === pool.metadata.name);

/** Whether its node is being disrupted: it gets no more pods, and the pods on it need another node. */
export function isBeingDisrupted(claim: NodeClaim, cache: Cache): boolean {
  const taints = nodeOf(claim, cache)?.spec?.taints ?? [];
  return claim.metadata.deletionTimestamp !== undefined || taints.some(({ key }) => key === disruptedTaint.key);
}

/**
 * Whether Karpenter knows every machine that it has asked for: nothing is planned before (state/cluster.go, Synced).
 */
export const isSynced = (cache: Cache): boolean =>
  [...cache.list('NodeClaim')].every(({ status }) => status?.providerID !== undefined);

/**
 * Pods that the scheduler marked Unschedulable, but for those whose claims no node would help (volumetopology.go,
 * ValidatePersistentVolumeClaims).
 */
export function pendingPods(cache: Cache): readonly Pod[] {
  return [...cache.podsOn('')].filter(
    (pod) =>
      !isTerminating(pod) &&
      !isFinished(pod) &&
      conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable' &&
      volumeNeedsOf(pod, cache)?.refusal === undefined,
  );
}

/** The node's pods that need another node when it is removed: not DaemonSets', finished or terminating ones. */
export function reschedulablePods(nodeName: string, cache: Cache): readonly Pod[] {
  return [...cache.podsOn(nodeName)].filter(
    (pod) => !isFinished(pod) && !isTerminating(pod) && controllerOf(pod)?.kind !== 'DaemonSet',
  );
}

/**
 * The pods of nodes that are being disrupted: they need another node when they are evicted (state/statenode.go,
 * CurrentlyReschedulablePods).
 */
export function displacedPods(cache: Cache, at: number): readonly Pod[] {
  return [...cache.list('NodeClaim')]
    .filter((claim) => isBeingDisrupted(claim, cache))
    .flatMap((claim) => reschedulablePods(nodeOf(claim, cache)?.metadata.name ?? ' ', cache))
    .filter((pod) => isCurrentlyReschedulable(pod, cache, at));
}

/** The names under which `nodeInfosOf` has the machines that are not initialized yet. */
export function startingNodes(cache: Cache): ReadonlySet<string> {
  const claims = [...cache.list('NodeClaim')].filter((claim) => !isTrue(claim, 'Initialized'));
  return new Set(claims.map((claim) => nodeOf(claim, cache)?.metadata.name ?? claim.metadata.name));
}

/** Taints that a starting node loses without Karpenter (pkg/scheduling/taints.go, KnownEphemeralTaints). */
export const ephemeralTaints = [notReadyTaint, unreachableTaint, uninitializedTaint, unregisteredTaint.key];

/**
 * The nodes that pods can be planned on: those that stay, less `without`, and the claims whose Node is not there yet.
 */
export function nodeInfosOf(cache: Cache, without: ReadonlySet<string> = new Set()): readonly NodeInfo[] {
  const claims = [...cache.list('NodeClaim')].filter((claim) => !isBeingDisrupted(claim, cache));
  const disrupted = new Set(
    [...cache.list('NodeClaim')]
      .filter((claim) => isBeingDisrupted(claim, cache))
      .map((claim) => claim.status?.nodeName),
  );
  const nodes = [...cache.list('Node')].filter(
    (node) => !disrupted.has(node.metadata.name) && !without.has(node.metadata.name),
  );
  const claimByNode = new Map(claims.map((claim) => [claim.status?.nodeName, claim]));
  return [
    ...nodes.map((node) =>
      asInitialized(cache.ofNode(node.metadata.name, nodeInfoOf) as NodeInfo, claimByNode.get(node.metadata.name)),
    ),
    ...claims.filter((claim) => nodeOf(claim, cache) === undefined).map(nodeInfoOfClaim),
  ];
}

/** A node that is still starting counts without the taints that it will lose. */
function asInitialized(node: NodeInfo, claim: NodeClaim | undefined): NodeInfo {
  if (claim === undefined || isTrue(claim, 'Initialized')) return node;
  const startup = (claim.spec.startupTaints ?? []).map(({ key }) => key);
  const taints = node.taints.filter(({ key }: Taint) => !ephemeralTaints.includes(key) && !startup.includes(key));
  return { ...node, taints };
}

function nodeInfoOfClaim({ metadata, spec, status }: NodeClaim): NodeInfo {
  return {
    name: metadata.name,
    labels: { ...zoneOf(spec), ...metadata.labels, 'kubernetes.io/hostname': metadata.name },
    taints: spec.taints ?? [],
    free: amounts(status?.allocatable ?? spec.resources?.requests),
    pods: [],
  };
}

/** A claim has the labels of its machine only when that is launched; its zone is decided before. */
function zoneOf({ requirements }: NodeClaim['spec']): Readonly<Record<string, string>> {
  const zone = requirements.findLast(({ key, operator }) => key === 'topology.kubernetes.io/zone' && operator === 'In');
  const [only, ...others] = zone?.values ?? [];
  return only === undefined || others.length > 0 ? {} : { 'topology.kubernetes.io/zone': only };
}

function withinLimits(pool: NodePool, offerings: readonly Offering[], cache: Cache): readonly Offering[] {
  if (pool.spec.limits === undefined) return offerings;
  const room = roomOf(pool, cache);
  return offerings.filter(({ type }) => isWithin(room, type));
}

/** The pools that can launch nodes, highest weight first, with the offerings within their limits. */
export function poolOfferings(
  cache: Cache,
  zones: readonly string[],
  behaviour: AutoscalerBehaviour,
): readonly PoolOfferings[] {
  const daemons = [...cache.list('DaemonSet')].map(({ spec }) => ({
    ...spec.template.spec,
    tolerations: [{ operator: 'Exists' as const }],
  }));
  return [...cache.list('NodePool')]
    .filter((pool) => isTrue(pool, 'Ready') && pool.metadata.deletionTimestamp === undefined)
    .sort((a, b) => (b.spec.weight ?? 0) - (a.spec.weight ?? 0) || keyOf(a).localeCompare(keyOf(b), 'en'))
    .map((pool) => ({ pool, offerings: withinLimits(pool, offeringsOf(pool, zones, behaviour), cache), daemons }));
}

/**
 * Whether a pod of a node that goes gets room elsewhere now: not while its annotation or a budget that never allows an
 * eviction keeps it, because nobody knows when it will go (utils/pdb/pdb.go, IsCurrentlyReschedulable).
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
