import type { Workload } from './answer-shape.ts';

/** What happened in one run of the action on the copy; times in seconds. */
export interface Observed {
  readonly workloads: readonly ObservedWorkload[];
  /** Evictions that were refused until the end. */
  readonly refusals: readonly { readonly pod: string; readonly workload: Workload; readonly because: string }[];
  readonly pending: readonly Placeless[];
  /** Undefined: the action did not end. */
  readonly durationSeconds: number | undefined;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
}

/** A pod without a node at the end, and the words of the scheduler. */
export interface Placeless {
  readonly workload: Workload;
  /** It was not there before the action. */
  readonly isNew: boolean;
  readonly because: string;
}

export interface ObservedWorkload {
  readonly workload: Workload;
  readonly readyBefore: number;
  readonly readyAfter: number;
  readonly least: number;
  /** Without a ready pod; undefined: it still had none at the end. */
  readonly downSeconds: number | undefined;
  /** For how long the API still had pods as ready that no longer ran. */
  readonly deadSeconds: number;
}
