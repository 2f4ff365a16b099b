import type { Node, Taint } from '../../cluster/resources.ts';
import type { PodSpec, Toleration } from '../../cluster/specs.ts';

export const unschedulableTaint = 'node.kubernetes.io/unschedulable';
export const notReadyTaint = 'node.kubernetes.io/not-ready';
export const unreachableTaint = 'node.kubernetes.io/unreachable';
export const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';

/** core/v1 `Toleration.ToleratesTaint`. */
export function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== undefined && key !== taint.key) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}

/** The first taint that keeps the pod off; a cordon is the taint that the node controller makes of it. */
export function untolerated(spec: PodSpec, taints: readonly Taint[]): Taint | undefined {
  return taints.find(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' && !spec.tolerations?.some((toleration) => tolerates(toleration, taint)),
  );
}

export function taintsOf({ spec }: Node): readonly Taint[] {
  const taints = spec?.taints ?? [];
  return spec?.unschedulable ? [...taints, { key: unschedulableTaint, effect: 'NoSchedule' }] : taints;
}

/** The taints with this one among them, or without it. The same list when nothing changes. */
export function withTaint(taints: readonly Taint[], taint: Taint): readonly Taint[] {
  return taints.some(({ key, effect }) => key === taint.key && effect === taint.effect) ? taints : [...taints, taint];
}
export function withoutTaint(taints: readonly Taint[], key: string): readonly Taint[] {
  return taints.some((taint) => taint.key === key) ? taints.filter((taint) => taint.key !== key) : taints;
}
