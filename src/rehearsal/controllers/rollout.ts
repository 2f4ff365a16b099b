import type { Deployment, ReplicaSet } from '../../cluster/resources.ts';

export interface Scaling {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/** The next step from these sets to the current one, within maxSurge and maxUnavailable (rolling.go). */
export function scalings(wanted: Deployment, current: ReplicaSet, sets: readonly ReplicaSet[]): readonly Scaling[] {
  const replicas = wanted.spec.replicas ?? 1;
  const old = sets.filter((set) => set !== current && sizeOf(set) > 0);
  if (old.length === 0) return resized(current, replicas);
  if (wanted.spec.strategy?.type === 'Recreate') return old.map((set) => ({ set, replicas: 0 }));
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

/** `maxUnavailable`, 25 % rounded down by default; 1 when both would be 0 (ResolveFenceposts). */
export function unavailableOf({ spec }: Deployment, surge: number): number {
  const unavailable = portion(spec.strategy?.rollingUpdate?.maxUnavailable ?? '25%', spec.replicas ?? 1, Math.floor);
  return surge === 0 && unavailable === 0 ? 1 : unavailable;
}

/** A count, or a percentage of the whole. */
export function portion(value: number | string, whole: number, round: (exact: number) => number): number {
  if (typeof value === 'number') return value;
  return value.endsWith('%') ? round((Number.parseFloat(value) / 100) * whole) : Number(value);
}

const sizeOf = (set: ReplicaSet): number => set.spec.replicas ?? 1;

function resized(set: ReplicaSet, replicas: number): readonly Scaling[] {
  return sizeOf(set) === replicas ? [] : [{ set, replicas }];
}

/** As many as may be unavailable, and those that serve nobody anyway (reconcileOldReplicaSets). */
function scaledDown(
  wanted: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
  spare: number,
): readonly Scaling[] {
  const notYetUp = sizeOf(current) - (current.status?.availableReplicas ?? 0);
  const useless = old.reduce((sum, set) => sum + sizeOf(set) - (set.status?.availableReplicas ?? 0), 0);
  const available = [current, ...old].reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
  const needed = (wanted.spec.replicas ?? 1) - unavailableOf(wanted, surgeOf(wanted));
  let room = Math.min(spare - notYetUp, useless + Math.max(0, available - needed));
  const steps: Scaling[] = [];
  for (const set of old) {
    if (room <= 0) break;
    const fewer = Math.min(room, sizeOf(set));
    steps.push({ set, replicas: sizeOf(set) - fewer });
    room -= fewer;
  }
  return steps;
}
