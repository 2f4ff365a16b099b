import type { NodePool } from '../kubernetes/autoscaler.ts';
import { capacityOf, type InstanceType } from '../machines/instance-types.ts';
import type { Cache } from '../objects/cache.ts';
import { type Amounts, amounts, fits, plus, total } from '../objects/quantities.ts';
import { wellKnown } from './well-known.ts';

/**
 * What a pool's `spec.limits` leave for more nodes, by resource; only limited resources are members (nodepool.go,
 * Limits.ExceededBy).
 */
export function roomOf(pool: NodePool, cache: Cache): Amounts {
  const limits = amounts(pool.spec.limits);
  const claims = [...cache.list('NodeClaim')].filter(
    ({ metadata }) => metadata.labels?.[wellKnown.nodePool] === pool.metadata.name,
  );
  const used = total(claims.map(({ status }) => ({ ...amounts(status?.capacity), nodes: 1 })));
  return Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit - (used[name] ?? 0)]));
}

/** Whether a node of that type fits within the room. */
export function isWithin(room: Amounts, type: InstanceType): boolean {
  const capacity = sizeOf(type);
  const limited = Object.keys(room).map((name) => [name, capacity[name] ?? 0] as const);
  return fits(Object.fromEntries(limited), room);
}

/** The room that a node of that type leaves. */
export function roomAfter(room: Amounts, type: InstanceType): Amounts {
  const capacity = sizeOf(type);
  const spent = Object.fromEntries(Object.keys(room).map((name) => [name, capacity[name] ?? 0]));
  return plus(room, spent, -1);
}

const sizeOf = (type: InstanceType): Amounts => ({ ...amounts(capacityOf(type)), nodes: 1 });
