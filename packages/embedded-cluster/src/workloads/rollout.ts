import type { Deployment, ReplicaSet } from '../kubernetes/resources.ts';

export interface Scaling {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/**
 * The next step of a rollout to the current set, within maxSurge and maxUnavailable (rolling.go); with strategy
 * Recreate the current set is scaled up only when the last old pod is gone (recreate.go).
 */
export function scalings(
  wanted: Deployment,
  current: ReplicaSet,
  sets: readonly ReplicaSet[],
  areOldPodsLeft: boolean,
): readonly Scaling[] {
  const replicas = wanted.spec.replicas ?? 1;
  const old = sets.filter((set) => set !== current && sizeOf(set) > 0);
  if (wanted.spec.strategy?.type === 'Recreate' && (old.length > 0 || areOldPodsLeft))
    return old.map((set) => ({ set, replicas: 0 }));
  if (old.length === 0) return resized(current, replicas);
  const surge = surgeOf(wanted);
  const total = sets.reduce((sum, set) => sum + sizeOf(set), 0);
  const room = Math.max(0, replicas + surge - total);
  const up = resized(current, Math.min(replicas, sizeOf(current) + room));
  return up.length > 0 ? up : scaledDown(wanted, current, old, total - (replicas - unavailableOf(wanted, surge)));
}

/** `maxSurge`, 25 % rounded up by default. */
export function surgeOf({ spec }: Deployment): number {
  return portion(spec.strategy?.rollingUpdate?.maxSurge ?? '25%', spec.replicas ?? 1, Math.ceil);
}

/** `maxUnavailable`, 25 % rounded down by default; 1 if both would be 0 (deployment_util.go, ResolveFenceposts). */
export function unavailableOf({ spec }: Deployment, surge: number): number {
  const unavailable = portion(spec.strategy?.rollingUpdate?.maxUnavailable ?? '25%', spec.replicas ?? 1, Math.floor);
  return surge === 0 && unavailable === 0 ? 1 : unavailable;
}

/** An integer, or a percentage of the whole (intstr, GetScaledValueFromIntOrPercent). */
export function portion(value: number | string, whole: number, round: (exact: number) => number): number {
  if (typeof value === 'number') return value;
  return value.endsWith('%') ? round((Number.parseFloat(value) / 100) * whole) : Number(value);
}

export const sizeOf = (set: ReplicaSet): number => set.spec.replicas ?? 1;

function resized(set: ReplicaSet, replicas: number): readonly Scaling[] {
  return sizeOf(set) === replicas ? [] : [{ set, replicas }];
}

/**
 * First unavailable replicas of the old sets, then available ones down to the minimum, oldest sets first
 * (reconcileOldReplicaSets).
 */
function scaledDown(
  wanted: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
  spare: number,
): readonly Scaling[] {
  const oldestFirst = old.toSorted((a, b) => Date.parse(createdAt(a)) - Date.parse(createdAt(b)));
  const sizes = new Map(oldestFirst.map((set) => [set, sizeOf(set)]));
  const unhealthy = reduce(sizes, Math.max(0, spare - unavailableIn(current)), unavailableIn);
  const available = [current, ...old].reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
  const minAvailable = (wanted.spec.replicas ?? 1) - unavailableOf(wanted, surgeOf(wanted));
  const left = Math.max(0, spare - unavailableIn(current) - unhealthy);
  reduce(sizes, Math.min(left, Math.max(0, available - minAvailable)), (set) => sizes.get(set) ?? 0);
  return [...sizes].flatMap(([set, replicas]) => resized(set, replicas));
}

const createdAt = ({ metadata }: ReplicaSet): string => metadata.creationTimestamp ?? '';
const unavailableIn = (set: ReplicaSet): number => Math.max(0, sizeOf(set) - (set.status?.availableReplicas ?? 0));

/** Reduces the sizes by up to `room` together, each by at most `most`; returns by how much. */
function reduce(sizes: Map<ReplicaSet, number>, room: number, most: (set: ReplicaSet) => number): number {
  let left = room;
  for (const [set, size] of sizes) {
    const fewer = Math.min(left, most(set), size);
    sizes.set(set, size - fewer);
    left -= fewer;
  }
  return room - left;
}
