import { driftOf } from '../autoscaler/drift.ts';
import { durationSeconds } from '../autoscaler/durations.ts';
import { wellKnown } from '../autoscaler/well-known.ts';
import type { NodeClaim, NodePool } from '../kubernetes/autoscaler.ts';
import { conditionOf, isTrue, type Stated, withConditions } from '../objects/conditions.ts';
import { sameJson } from '../objects/json.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';

/**
 * NodeClaim → its conditions Drifted and Consolidatable, from which the disruption methods decide
 * (nodeclaim/disruption).
 */
export function nodeClaimConditions({
  respectsRequirements,
}: Pick<AutoscalerBehaviour, 'respectsRequirements'>): Controller {
  return reconciler({
    name: 'node-claim-conditions',
    watches: {
      NodeClaim: (claim) => [claim.metadata.name],
      NodePool: (pool, cache) =>
        [...cache.list('NodeClaim')]
          .filter(({ metadata }) => metadata.labels?.[wellKnown.nodePool] === pool.metadata.name)
          .map(({ metadata }) => metadata.name),
    },
    reaction: 'autoscalerReaction',
    reconcile: async (site, name) => {
      const claim = site.cache.get('NodeClaim', name);
      const pool = site.cache.get('NodePool', claim?.metadata.labels?.[wellKnown.nodePool] ?? '');
      if (claim === undefined || pool === undefined || !isTrue(claim, 'Initialized')) return undefined;
      if (claim.metadata.deletionTimestamp !== undefined) return undefined;
      const consolidatableAt = consolidatableFrom(claim, pool);
      await patchConditions(site, claim, [
        ...drifted(driftOf(claim, pool, respectsRequirements)),
        ...consolidatable(consolidatableAt <= site.now()),
      ]);
      const seconds = (consolidatableAt - site.now()) / 1000;
      return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
    },
  });
}

/** These conditions are True or absent, never False. */
const removable = ['Drifted', 'Consolidatable'];

function drifted(reason: string | undefined): readonly Stated[] {
  return reason === undefined ? [] : [{ type: 'Drifted', status: 'True', reason, message: reason }];
}

function consolidatable(isConsolidatable: boolean): readonly Stated[] {
  return isConsolidatable ? [{ type: 'Consolidatable', status: 'True', reason: 'Consolidatable' }] : [];
}

/**
 * `consolidateAfter` after the last pod event, or after the claim was initialized; epoch milliseconds
 * (consolidation.go).
 */
function consolidatableFrom(claim: NodeClaim, pool: NodePool): number {
  const initialized = conditionOf(claim, 'Initialized')?.lastTransitionTime;
  const since = [claim.status?.lastPodEventTime, initialized].flatMap((time) =>
    time === undefined ? [] : instantOf(time),
  );
  return Math.max(0, ...since) + 1000 * durationSeconds(pool.spec.disruption?.consolidateAfter ?? '0s');
}

async function patchConditions(site: Site, claim: NodeClaim, stated: readonly Stated[]): Promise<void> {
  const kept = (claim.status?.conditions ?? []).filter(
    ({ type }) => !removable.includes(type) || stated.some((one) => one.type === type),
  );
  const conditions = withConditions(kept, stated, site.now());
  if (sameJson(conditions, claim.status?.conditions)) return;
  const { name } = claim.metadata;
  await site.cluster.patch(
    'NodeClaim',
    { name },
    { type: 'merge', value: { status: { conditions } } },
    { subresource: 'status' },
  );
}
