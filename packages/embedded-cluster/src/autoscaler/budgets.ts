import type { NodeClaim, NodePool } from '../kubernetes/autoscaler.ts';
import type { Cache } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { calendarAt, isHit, parseCron } from '../objects/cron.ts';
import { claimsOf, isBeingDisrupted, nodeOf } from './cluster-state.ts';
import { durationSeconds } from './durations.ts';

export type DisruptionReason = 'Empty' | 'Drifted' | 'Underutilized';

/**
 * How many more nodes of the pool may be disrupted now for that reason: the smallest budget that applies, percentages
 * rounded up, less the nodes that are not Ready or are being disrupted (helpers.go, BuildDisruptionBudgetMapping).
 */
export function remainingDisruptions(pool: NodePool, reason: DisruptionReason, cache: Cache, at: number): number {
  const counted = countedNodes(pool, cache);
  const consuming = counted.filter((claim) => isBeingDisrupted(claim, cache) || !isReady(claim, cache));
  return Math.max(0, allowedDisruptions(pool, reason, counted.length, at) - consuming.length);
}

/** The pool's nodes that a percentage is of: initialized, and their instances not being terminated yet. */
export function countedNodes(pool: NodePool, cache: Cache): readonly NodeClaim[] {
  return claimsOf(pool, cache).filter((claim) => isTrue(claim, 'Initialized') && !isTrue(claim, 'InstanceTerminating'));
}

function isReady(claim: NodeClaim, cache: Cache): boolean {
  const node = nodeOf(claim, cache);
  return node !== undefined && isTrue(node, 'Ready');
}

/** How many nodes the budgets allow, of that many; a budget with a schedule applies for its duration after each hit. */
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

const minuteMs = 60_000;

/**
 * Whether a budget with that schedule (cron, UTC) is active: the schedule was hit within the duration before `at`
 * (nodepool.go, Budget.IsActive). An invalid schedule is never active.
 */
export function isActive(schedule: string, durationSeconds: number, at: number): boolean {
  const parsed = parseCron(schedule);
  if (parsed === undefined) return false;
  const from = at - 1000 * durationSeconds;
  for (let minute = Math.floor(at / minuteMs) * minuteMs; minute > from; minute -= minuteMs)
    if (isHit(parsed, calendarAt(minute))) return true;
  return false;
}
