import type { Deployment } from './resources.ts';
import type { StatefulSet } from './stateful-set.ts';

/** What the application's pods belong to: a kind whose replicas can be scaled. */
export type Workload = Deployment | StatefulSet;
export const workloadKinds = ['Deployment', 'StatefulSet'] as const satisfies readonly Workload['kind'][];
export type WorkloadKind = (typeof workloadKinds)[number];
