import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Cache } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { claimsOf, isLeaving, nodeOf } from './cluster-state.ts';
import { durationSeconds } from './durations.ts';
import { isActive } from './schedule.ts';

export type DisruptionReason = 'Empty' | 'Drifted' | 'Underutilized';

/**
 * How many more nodes of the pool may be disrupted now for that reason: the smallest budget that applies, percentages
 * rounded up, less those that are not Ready or on their way out (helpers.go, BuildDisruptionBudgetMapping).
 */
export function remainingDisruptions(pool: NodePool, reason: DisruptionReason, cache: Cache, at: number): number {
  const counted = countedNodes(pool, cache);
  const consuming = counted.filter((claim) => isLeaving(claim, cache) || !isReady(claim, cache));
  return Math.max(0, allowedDisruptions(pool, reason, counted.length, at) - consuming.length);
}

/** The pool's nodes as a budget's percentage counts them: initialized, and their instances not going already. */
export function countedNodes(pool: NodePool, cache: Cache): readonly NodeClaim[] {
  return claimsOf(pool, cache).filter((claim) => isTrue(claim, 'Initialized') && !isTrue(claim, 'InstanceTerminating'));
}

function isReady(claim: NodeClaim, cache: Cache): boolean {
  const node = nodeOf(claim, cache);
  return node !== undefined && isTrue(node, 'Ready');
}

/** By the budgets alone; one with a schedule applies for its duration from each hit on. */
export function allowedDisruptions({ spec }: NodePool, reason: DisruptionReason, nodes: number, at: number): number {
  const budgets = spec.disruption?.budgets ?? [{ nodes: '10%' }];
  const applying = budgets.filter(
    ({ reasons, schedule, duration }) =>
      (reasons === undefined || reasons.includes(reason)) &&
      (schedule === undefined || isActive(schedule, durationSeconds(duration), at)),
  );
  return Math.min(...applying.map((budget) => portionOf(budget.nodes, nodes)));
}

function portionOf(text: string, nodes: number): number {
  return text.endsWith('%') ? Math.ceil((Number.parseInt(text, 10) / 100) * nodes) : Number(text);
}
