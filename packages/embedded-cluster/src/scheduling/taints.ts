import type { Node, Taint } from '../kubernetes/resources.ts';
import type { PodSpec, Toleration } from '../kubernetes/specs.ts';

export const unschedulableTaint = 'node.kubernetes.io/unschedulable';
export const notReadyTaint = 'node.kubernetes.io/not-ready';
export const unreachableTaint = 'node.kubernetes.io/unreachable';
/**
 * The taint of a machine that is off for good
 * (https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown).
 */
export const outOfServiceTaint = 'node.kubernetes.io/out-of-service';
export const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';
/** The label of nodes that load balancers must not have as targets (Kubernetes, well-known labels). */
export const excludeFromLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** As core/v1 `Toleration.ToleratesTaint`. */
export function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== undefined && key !== taint.key) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}

/** The first NoSchedule or NoExecute taint that the pod does not tolerate. */
export function untolerated(spec: PodSpec, taints: readonly Taint[]): Taint | undefined {
  return taints.find(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' && !spec.tolerations?.some((toleration) => tolerates(toleration, taint)),
  );
}

/** The node's taints, with the one that a cordon stands for. */
export function taintsOf({ spec }: Node): readonly Taint[] {
  const taints = spec?.taints ?? [];
  return spec?.unschedulable ? [...taints, { key: unschedulableTaint, effect: 'NoSchedule' }] : taints;
}

export const isOutOfService = ({ spec }: Node): boolean =>
  spec?.taints?.some(({ key }) => key === outOfServiceTaint) === true;

/** The list itself if the taint is in it already. */
export function withTaint(taints: readonly Taint[], taint: Taint): readonly Taint[] {
  return taints.some(({ key, effect }) => key === taint.key && effect === taint.effect) ? taints : [...taints, taint];
}

/** The list itself if no taint has the key. */
export function withoutTaint(taints: readonly Taint[], key: string): readonly Taint[] {
  return taints.some((taint) => taint.key === key) ? taints.filter((taint) => taint.key !== key) : taints;
}
