import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Node, Pod, Taint } from '../../cluster/resources.ts';
import { type Cache, keyOf } from '../objects/cache.ts';
import { conditionOf, isTrue } from '../objects/conditions.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { amounts } from '../objects/quantities.ts';
import { type Place, placeOfNode } from '../scheduling/place.ts';
import { notReadyTaint, uninitializedTaint, unreachableTaint } from '../scheduling/taints.ts';
import type { AutoscalerHabits } from '../setup/setup.ts';
import { isWithin, roomOf } from './limits.ts';
import { type Offering, offeringsOf } from './offering.ts';
import type { Source } from './packing.ts';
import { disruptedTaint, unregisteredTaint, words } from './words.ts';

/** Karpenter's view of the cluster (pkg/controllers/state): pure readings of what the API says. */

export const nodeOf = (claim: NodeClaim, cache: Cache): Node | undefined =>
  claim.status?.nodeName === undefined ? undefined : cache.get('Node', claim.status.nodeName);

export const claimsOf = (pool: NodePool, cache: Cache): readonly NodeClaim[] =>
  [...cache.list('NodeClaim')].filter(({ metadata }) => metadata.labels?.[words.nodePool] === pool.metadata.name);

/** Its node is going away: it takes no more pods, and those that it has need another place. */
export function isLeaving(claim: NodeClaim, cache: Cache): boolean {
  const taints = nodeOf(claim, cache)?.spec?.taints ?? [];
  return claim.metadata.deletionTimestamp !== undefined || taints.some(({ key }) => key === disruptedTaint.key);
}

/** Pods that the scheduler found no place for. */
export function pendingPods(cache: Cache): readonly Pod[] {
  return [...cache.podsOn('')].filter(
    (pod) => !isTerminating(pod) && !isFinished(pod) && conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable',
  );
}

/** Pods that have to go somewhere else when the node goes: not those of DaemonSets, nor those that are going anyway. */
export function reschedulablePods(nodeName: string, cache: Cache): readonly Pod[] {
  return [...cache.podsOn(nodeName)].filter(
    (pod) => !isFinished(pod) && !isTerminating(pod) && controllerOf(pod)?.kind !== 'DaemonSet',
  );
}

/** Taints that a new node loses by itself. */
const ephemeral = [notReadyTaint, unreachableTaint, uninitializedTaint, unregisteredTaint.key];

/** Where pods could go: the nodes that stay, and the claims that will be nodes. */
export function placesOf(cache: Cache, without: ReadonlySet<string> = new Set()): readonly Place[] {
  const claims = [...cache.list('NodeClaim')].filter((claim) => !isLeaving(claim, cache));
  const leaving = new Set(
    [...cache.list('NodeClaim')].filter((claim) => isLeaving(claim, cache)).map((claim) => claim.status?.nodeName),
  );
  const nodes = [...cache.list('Node')].filter(
    (node) => !leaving.has(node.metadata.name) && !without.has(node.metadata.name),
  );
  const started = new Map(claims.map((claim) => [claim.status?.nodeName, claim]));
  return [
    ...nodes.map((node) =>
      settled(cache.ofNode(node.metadata.name, placeOfNode) as Place, started.get(node.metadata.name)),
    ),
    ...claims.filter((claim) => nodeOf(claim, cache) === undefined).map(placeOfClaim),
  ];
}

/** A node that is still coming up is seen as it will be. */
function settled(place: Place, claim: NodeClaim | undefined): Place {
  if (claim === undefined || isTrue(claim, 'Initialized')) return place;
  const startup = (claim.spec.startupTaints ?? []).map(({ key }) => key);
  const taints = place.taints.filter(({ key }: Taint) => !ephemeral.includes(key) && !startup.includes(key));
  return { ...place, taints };
}

function placeOfClaim({ metadata, spec, status }: NodeClaim): Place {
  return {
    name: metadata.name,
    labels: { ...metadata.labels, 'kubernetes.io/hostname': metadata.name },
    taints: spec.taints ?? [],
    free: amounts(status?.allocatable ?? spec.resources?.requests),
    pods: [],
  };
}

function withinLimits(pool: NodePool, offerings: readonly Offering[], cache: Cache): readonly Offering[] {
  if (pool.spec.limits === undefined) return offerings;
  const room = roomOf(pool, cache);
  return offerings.filter(({ type }) => isWithin(room, type));
}

/** The pools that may buy, the heaviest first. */
export function sourcesOf(cache: Cache, zones: readonly string[], habits: AutoscalerHabits): readonly Source[] {
  const daemons = [...cache.list('DaemonSet')].map(({ spec }) => ({
    ...spec.template.spec,
    tolerations: [{ operator: 'Exists' as const }],
  }));
  return [...cache.list('NodePool')]
    .filter((pool) => isTrue(pool, 'Ready') && pool.metadata.deletionTimestamp === undefined)
    .sort((a, b) => (b.spec.weight ?? 0) - (a.spec.weight ?? 0) || keyOf(a).localeCompare(keyOf(b), 'en'))
    .map((pool) => ({ pool, offerings: withinLimits(pool, offeringsOf(pool, zones, habits), cache), daemons }));
}
