import type { StatefulSet } from '@holdfast/embedded-cluster';
import type { DaemonSet, Deployment } from './resources.ts';

export type { ControllerRevision, StatefulSet } from '@holdfast/embedded-cluster';

/** A kind whose replicas can be scaled. */
export type ScaledWorkload = Deployment | StatefulSet;
/** What the application's pods belong to. A DaemonSet has no replicas: a pod on each node that it selects. */
export type Workload = ScaledWorkload | DaemonSet;
export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet'] as const satisfies readonly Workload['kind'][];
export type WorkloadKind = (typeof workloadKinds)[number];

/** Undefined where the manifest leaves the number to others; of a DaemonSet as many as the cluster has nodes for it. */
export const podsWanted = (workload: Workload): number | undefined =>
  workload.kind === 'DaemonSet' ? workload.status?.desiredNumberScheduled : workload.spec.replicas;
