import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Cache } from '../cache.ts';
import { isTrue } from '../conditions.ts';
import { claimsOf, isLeaving, nodeOf } from './cluster-state.ts';

export type DisruptionReason = 'Empty' | 'Drifted' | 'Underutilized';

/**
 * How many more nodes of the pool may be disrupted now for that reason: the smallest budget that applies, percentages
 * rounded up, less those that are not Ready or on their way out (helpers.go, BuildDisruptionBudgetMapping).
 */
export function remainingDisruptions(pool: NodePool, reason: DisruptionReason, cache: Cache): number {
  const counted = claimsOf(pool, cache).filter(
    (claim) => isTrue(claim, 'Initialized') && !isTrue(claim, 'InstanceTerminating'),
  );
  const consuming = counted.filter((claim) => isLeaving(claim, cache) || !isReady(claim, cache));
  return Math.max(0, allowedDisruptions(pool, reason, counted.length) - consuming.length);
}

function isReady(claim: NodeClaim, cache: Cache): boolean {
  const node = nodeOf(claim, cache);
  return node !== undefined && isTrue(node, 'Ready');
}

/** By the budgets alone. One with a schedule never applies here: the embedded cluster has no cron. */
export function allowedDisruptions({ spec }: NodePool, reason: DisruptionReason, nodes: number): number {
  const budgets = spec.disruption?.budgets ?? [{ nodes: '10%' }];
  const applying = budgets.filter(
    (budget) => budget.schedule === undefined && (budget.reasons === undefined || budget.reasons.includes(reason)),
  );
  return Math.min(...applying.map((budget) => portionOf(budget.nodes, nodes)));
}

function portionOf(text: string, nodes: number): number {
  return text.endsWith('%') ? Math.ceil((Number.parseInt(text, 10) / 100) * nodes) : Number(text);
}
