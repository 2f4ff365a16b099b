import type { Deployment, ReplicaSet } from '../kubernetes/resources.ts';
import { type Scaling, sizeOf, surgeOf } from './rollout.ts';

const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maximumAnnotation = 'deployment.kubernetes.io/max-replicas';

/** What each ReplicaSet tells of its Deployment when it is scaled (deployment_util.go, SetReplicasAnnotations). */
export function replicasAnnotations(wanted: Deployment): Readonly<Record<string, string>> {
  const replicas = wanted.spec.replicas ?? 1;
  return { [desiredAnnotation]: String(replicas), [maximumAnnotation]: String(replicas + surgeOf(wanted)) };
}

/**
 * Whether the Deployment has another number of replicas than when one of its sets was scaled last (sync.go,
 * isScalingEvent).
 */
export const isScaled = ({ spec }: Deployment, sets: readonly ReplicaSet[]): boolean =>
  sets.some((set) => sizeOf(set) > 0 && (annotated(set, desiredAnnotation) ?? spec.replicas) !== (spec.replicas ?? 1));

/**
 * What a Deployment that is scaled or paused does instead of its rollout: its only set with replicas gets all; sets
 * besides a complete one get none; in the middle of a rollout all grow or shrink in proportion to their sizes (sync.go,
 * scale). `current` is the template's set.
 */
export function proportionally(
  wanted: Deployment,
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
): readonly Scaling[] {
  const replicas = wanted.spec.replicas ?? 1;
  const active = sets.filter((set) => sizeOf(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? sets.toSorted(newestFirst)[0]);
  if (only !== undefined) return sizeOf(only) === replicas ? [] : [{ set: only, replicas }];
  if (isSaturated(current, replicas))
    return active.filter((set) => set !== current).map((set) => ({ set, replicas: 0 }));
  return wanted.spec.strategy?.type === 'Recreate' ? [] : inProportion(wanted, active);
}

function isSaturated(set: ReplicaSet | undefined, replicas: number): boolean {
  if (set === undefined || annotated(set, desiredAnnotation) !== replicas) return false;
  return sizeOf(set) === replicas && set.status?.availableReplicas === replicas;
}

/**
 * The largest set first, of equal ones the newest when they grow and the oldest when they shrink; the largest takes
 * what rounding leaves.
 */
function inProportion(wanted: Deployment, active: readonly ReplicaSet[]): readonly Scaling[] {
  const replicas = wanted.spec.replicas ?? 1;
  const allowed = replicas === 0 ? 0 : replicas + surgeOf(wanted);
  const change = allowed - active.reduce((sum, set) => sum + sizeOf(set), 0);
  const bySize = active.toSorted(
    (a, b) => sizeOf(b) - sizeOf(a) || (change > 0 ? newestFirst(a, b) : newestFirst(b, a)),
  );
  let left = change;
  const shares = bySize.map((set) => {
    const fraction = fractionOf(set, wanted, allowed);
    const share = change > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    left -= share;
    return share;
  });
  return bySize.map((set, index) => ({
    set,
    replicas: Math.max(0, sizeOf(set) + (change === 0 ? 0 : (shares[index] ?? 0) + (index === 0 ? left : 0))),
  }));
}

/** By how much a set of that share of the Deployment grows (deployment_util.go, getReplicaSetFraction). */
function fractionOf(set: ReplicaSet, { spec, status }: Deployment, allowed: number): number {
  if (spec.replicas === 0) return -sizeOf(set);
  const before = annotated(set, maximumAnnotation) || status?.replicas;
  return before ? Math.round((sizeOf(set) * allowed) / before) - sizeOf(set) : 0;
}

function annotated({ metadata }: ReplicaSet, name: string): number | undefined {
  const value = Number.parseInt(metadata.annotations?.[name] ?? '', 10);
  return Number.isNaN(value) ? undefined : value;
}

const createdAt = ({ metadata }: ReplicaSet): string => metadata.creationTimestamp ?? '';
const newestFirst = (a: ReplicaSet, b: ReplicaSet): number => createdAt(b).localeCompare(createdAt(a));
