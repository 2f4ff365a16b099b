import { selects } from '../../cluster/label-selector.ts';
import { condition } from '../../cluster/pods.ts';
import type { HorizontalPodAutoscaler, PodDisruptionBudget } from '../../cluster/resources.ts';
import { podsWanted, type Workload } from '../../cluster/workload.ts';

/** The limits that the owner of an application set for its number of replicas. */
export interface OwnerLimits {
  /** Never fewer than this. */
  readonly least: number;
  /** Never more; undefined without a limit. */
  readonly most?: number;
  /** The objects that set `least`, as sentences. */
  readonly because: readonly string[];
}

/** The narrowest of what the HorizontalPodAutoscalers and the PodDisruptionBudgets of the application allow. */
export function ownerLimits(
  workload: Workload,
  autoscalers: readonly HorizontalPodAutoscaler[],
  budgets: readonly PodDisruptionBudget[],
): OwnerLimits {
  const ours = autoscalers.filter(({ spec }) => scales(spec.scaleTargetRef, workload));
  const guarding = budgets.filter((budget) => guards(budget, workload));
  const floors = [
    ...ours.map(({ metadata, spec }) => ({
      least: spec.minReplicas ?? 1,
      because: `HorizontalPodAutoscaler ${metadata.name} has minReplicas ${spec.minReplicas ?? 1}`,
    })),
    ...guarding.flatMap(({ metadata, spec: { minAvailable } }) =>
      // A share, and maxUnavailable, are of as many replicas as there are.
      typeof minAvailable === 'number'
        ? [{ least: minAvailable, because: `PodDisruptionBudget ${metadata.name} wants ${minAvailable} available` }]
        : [],
    ),
  ];
  const ceilings = ours.map(({ spec }) => spec.maxReplicas);
  return {
    least: Math.max(0, ...floors.map(({ least }) => least)),
    ...(ceilings.length === 0 ? {} : { most: Math.min(...ceilings) }),
    because: floors.filter(({ least }) => least > 0).map(({ because }) => because),
  };
}

/**
 * How many replicas an autoscaler keeps now; undefined of one that does not know its metrics and scales nothing
 * (condition ScalingActive of autoscaling/v2).
 */
export function heldBy(autoscaler: HorizontalPodAutoscaler): number | undefined {
  const { spec, status } = autoscaler;
  if (condition(autoscaler, 'ScalingActive')?.status === 'False') return undefined;
  return Math.max(spec.minReplicas ?? 1, status?.desiredReplicas ?? 0);
}

/**
 * The replicas that a manifest asks for, of a DaemonSet as many as it has nodes; if it leaves their number to an
 * autoscaler, the autoscaler's minimum.
 */
export function wantedReplicas(workload: Workload, autoscalers: readonly HorizontalPodAutoscaler[]): number {
  const ours = autoscalers.filter(({ spec }) => scales(spec.scaleTargetRef, workload));
  return podsWanted(workload) ?? Math.max(1, ...ours.map(({ spec }) => spec.minReplicas ?? 1));
}

/** The same, and of a DaemonSet in a manifest, which says nothing of nodes, three. */
export const manyIfUnknown = (workload: Workload, autoscalers: readonly HorizontalPodAutoscaler[]): number =>
  workload.kind === 'DaemonSet' ? (podsWanted(workload) ?? 3) : wantedReplicas(workload, autoscalers);

/** Whether a HorizontalPodAutoscaler with this target scales this workload. */
export function scales(
  target: HorizontalPodAutoscaler['spec']['scaleTargetRef'],
  { kind, metadata }: { readonly kind: string; readonly metadata: Pick<Workload['metadata'], 'name'> },
): boolean {
  return target.kind === kind && target.name === metadata.name;
}

/** Whether the budget's selector matches the application's pods. */
export function guards({ spec }: PodDisruptionBudget, { spec: { template } }: Workload): boolean {
  return selects(spec.selector, template.metadata?.labels);
}

/**
 * How many of so many replicas the budget keeps. Percentages, of the replicas that are wanted now, are rounded up
 * (policy/v1).
 */
export function mustBeAvailable(
  { spec: { minAvailable, maxUnavailable } }: PodDisruptionBudget,
  replicas: number,
): number {
  if (minAvailable !== undefined) return countOf(minAvailable, replicas);
  return maxUnavailable === undefined ? 0 : Math.max(0, replicas - countOf(maxUnavailable, replicas));
}

function countOf(value: number | string, replicas: number): number {
  if (typeof value === 'number') return value;
  return Math.ceil((Number(value.replace('%', '')) / 100) * replicas);
}
