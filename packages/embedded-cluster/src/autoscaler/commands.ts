import type { Pod } from '../kubernetes/resources.ts';
import { type Cache, keyOf } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { unbound } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';
import { volumeNeedsOf } from '../scheduling/volumes.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import { type DisruptionReason, remainingDisruptions } from './budgets.ts';
import { type Candidate, candidates } from './candidates.ts';
import { displacedPods, nodeInfosOf, pendingPods, poolOfferings, startingNodes } from './cluster-state.ts';
import { type Plan, pack } from './packing.ts';

/** A decision of the disruption controller: the candidates are removed when the replacements are initialized. */
export interface Command {
  readonly reason: DisruptionReason;
  readonly candidates: readonly Candidate[];
  readonly replacements: readonly Plan[];
}

/** What a method decides from. */
export interface Situation {
  readonly cache: Cache;
  readonly now: number;
  readonly zones: readonly string[];
  readonly behaviour: AutoscalerBehaviour;
}

/** A disruption method: its command, or undefined when it has nothing to do (disruption/types.go, Method). */
export type Method = (situation: Situation) => Command | undefined;

/** The nodes that could be disrupted for that reason if every budget allowed it. */
export function candidatesFor(reason: DisruptionReason, cache: Cache, at: number): readonly Candidate[] {
  if (reason === 'Drifted') return candidates(cache, at, 'eventual').filter(({ claim }) => isTrue(claim, 'Drifted'));
  return candidates(cache, at).filter(
    ({ claim, pool, pods }) =>
      isTrue(claim, 'Consolidatable') &&
      (reason === 'Empty' ? pods.length === 0 : pool.spec.disruption?.consolidationPolicy !== 'WhenEmpty'),
  );
}

/** Nodes without pods that need another node, as many at once as the budgets allow (emptiness.go). */
export const emptiness: Method = ({ cache, now, behaviour }) => {
  const isEmpty = ({ pods }: Candidate) => pods.length <= behaviour.maximumPodsOfEmptyNode;
  const respectsBlockers = behaviour.maximumPodsOfEmptyNode === 0;
  const empty = candidates(cache, now, respectsBlockers ? 'graceful' : 'regardless').filter(
    (one) => isEmpty(one) && isTrue(one.claim, 'Consolidatable'),
  );
  const chosen = withinBudget(empty, 'Empty', cache, now);
  return chosen.length === 0 ? undefined : { reason: 'Empty', candidates: chosen, replacements: [] };
};

/** One node for each command: empty ones first, then by the time of their condition Drifted (drift.go). */
export const drift: Method = (situation) => {
  const { cache, now, behaviour } = situation;
  const drifted = candidatesFor('Drifted', cache, now).toSorted(
    (a, b) => Number(b.pods.length === 0) - Number(a.pods.length === 0) || driftedAt(a) - driftedAt(b),
  );
  for (const candidate of drifted) {
    if (behaviour.respectsBudgets && remainingDisruptions(candidate.pool, 'Drifted', cache, now) <= 0) continue;
    const others = candidates(cache, now).filter(
      ({ claim, pool }) => pool === candidate.pool && claim !== candidate.claim,
    );
    const taken = [candidate, ...others].slice(0, behaviour.nodesPerDriftedNode);
    const replacements = replacementsOf(taken, situation);
    if (replacements !== undefined) return { reason: 'Drifted', candidates: taken, replacements };
  }
  return undefined;
};

/**
 * One node whose pods fit on the others, unless its pool's consolidationPolicy is WhenEmpty
 * (singlenodeconsolidation.go).
 */
export const underutilization: Method = (situation) => {
  const { cache, now } = situation;
  const possible = candidatesFor('Underutilized', cache, now).toSorted((a, b) => a.pods.length - b.pods.length);
  for (const candidate of possible) {
    if (remainingDisruptions(candidate.pool, 'Underutilized', cache, now) <= 0) continue;
    if (replacementsOf([candidate], situation)?.length === 0) {
      return { reason: 'Underutilized', candidates: [candidate], replacements: [] };
    }
  }
  return undefined;
};

function withinBudget(
  all: readonly Candidate[],
  reason: DisruptionReason,
  cache: Cache,
  at: number,
): readonly Candidate[] {
  const left = new Map<string, number>();
  return all.filter(({ pool }) => {
    const remaining = left.get(pool.metadata.name) ?? remainingDisruptions(pool, reason, cache, at);
    left.set(pool.metadata.name, remaining - 1);
    return remaining > 0;
  });
}

const driftedAt = ({ claim }: Candidate): number =>
  instantOf(claim.status?.conditions?.find(({ type }) => type === 'Drifted')?.lastTransitionTime ?? '');

/**
 * The new nodes that are needed when the taken ones go, with the pods that are pending and those of nodes that are
 * going already. Undefined when some pod would fit nowhere, or a taken node's pod only on a machine that is still
 * starting (disruption/helpers.go, SimulateScheduling).
 */
function replacementsOf(
  taken: readonly Candidate[],
  { cache, now, zones, behaviour }: Situation,
): readonly Plan[] | undefined {
  const names = new Set(taken.map(({ node }) => node.metadata.name));
  const moving = taken.flatMap((candidate) => candidate.pods);
  const pending = pendingPods(cache);
  const pods = [...pending, ...moving, ...displacedPods(cache, now)].map(unbound);
  const packed = pack(pods, nodeInfosOf(cache, names), poolOfferings(cache, zones, behaviour), (pod) =>
    volumeNeedsOf(pod, cache),
  );
  const pendingKeys = new Set(pending.map(keyOf));
  if (packed.unplaced.some((pod) => !pendingKeys.has(keyOf(pod)))) return undefined;
  const starting = startingNodes(cache);
  const goesToStarting = (pod: Pod) => starting.has(packed.placed.get(keyOf(pod)) ?? '');
  return moving.some(goesToStarting) ? undefined : packed.plans;
}
