import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../cluster/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../cluster/volumes.ts';
import type { Workload } from '../../cluster/workload.ts';
import type { Cause } from '../finding.ts';

export type { Obstacle } from '../finding.ts';

/** A cluster in which something does not come to its end. */
export interface Stuck {
  readonly workload: Workload;
  /** The application's pods. */
  readonly pods: readonly Pod[];
  readonly budgets: readonly PodDisruptionBudget[];
  /** Every node of the cluster. */
  readonly nodes: readonly Node[];
  /** The pool that the run disturbs is the first. */
  readonly pools: readonly NodePool[];
  readonly claims: readonly NodeClaim[];
  readonly volumeClaims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  /** Whether pods were to leave their node. */
  readonly evicts: boolean;
}

/** A field of the application's workload. */
export const inWorkload = ({ kind, metadata: { name } }: Workload, field: string): Cause => ({ kind, name, field });

/** A field of the workload's pods. */
export const inTemplate = (workload: Workload, field: string): Cause =>
  inWorkload(workload, `spec.template.spec.${field}`);
