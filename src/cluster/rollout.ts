import type { Workload } from './workload.ts';

export interface Rollout {
  readonly type: string;
  /** How many pods it takes away at once. */
  readonly gone: number;
}

/** How a workload is rolled out. A StatefulSet ends a pod before it makes its successor (StatefulSetUpdateStrategy). */
export function rolloutOf(workload: Workload, replicas: number): Rollout {
  if (workload.kind === 'StatefulSet') return { type: workload.spec.updateStrategy?.type ?? 'RollingUpdate', gone: 1 };
  const isDaemonSet = workload.kind === 'DaemonSet';
  const { type = 'RollingUpdate', rollingUpdate } =
    (isDaemonSet ? workload.spec.updateStrategy : workload.spec.strategy) ?? {};
  const { maxUnavailable = isDaemonSet ? 1 : '25%' } = rollingUpdate ?? {};
  if (typeof maxUnavailable === 'number') return { type, gone: maxUnavailable };
  // Percentages of maxUnavailable are rounded down for a Deployment, and up for a DaemonSet (apps/v1).
  const round = isDaemonSet ? Math.ceil : Math.floor;
  return { type, gone: round((Number.parseFloat(maxUnavailable) / 100) * replicas) };
}
