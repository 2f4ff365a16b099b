/** What is done to the copy. */
export type Action = NodeAction | WorkloadAction;
export type NodeAction = { readonly kind: 'drain' | 'lose'; readonly nodes: readonly string[] };
export type WorkloadAction =
  | { readonly kind: 'rollout'; readonly workload: ChangedWorkload }
  | { readonly kind: 'scale'; readonly workload: ChangedWorkload; readonly replicas: number };
/** Kinds whose pods a change of the object replaces, or adds to, on any node. */
export const changedKinds = ['Deployment', 'StatefulSet'] as const;
export interface ChangedWorkload extends Workload {
  readonly kind: (typeof changedKinds)[number];
}

export interface Workload {
  /** `Deployment`, or the kind of a custom resource. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export type Verdict = 'stays' | 'goes-down' | 'degraded' | 'blocks';

/** What happens to one workload; times in seconds, null: it does not come back. */
export interface WorkloadAnswer extends Workload {
  readonly verdict: Verdict;
  readonly downSeconds: number | null;
  readonly lowerSeconds: number | null;
  readonly upperSeconds: number | null;
  /** One sentence; null where nothing is to be said. */
  readonly because: string | null;
}

/** What holds the action up, or keeps a pod from coming back. */
export interface Blocker {
  readonly kind: 'PodDisruptionBudget' | 'Pod';
  readonly namespace: string;
  readonly name: string;
  /** The words of the API server or of the scheduler. */
  readonly because: string;
}

/** The document of `what-if --json`. */
export interface Answer {
  readonly schemaVersion: 1;
  readonly action: Action;
  /** Instant of the copy, RFC 3339. */
  readonly takenAt: string;
  readonly workloads: readonly WorkloadAnswer[];
  readonly blockedBy: readonly Blocker[];
  /** Until the action has ended, seconds; null: it never does. */
  readonly durationSeconds: number | null;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
  /** What the cluster of the copy has and the embedded cluster does not do, a sentence each. */
  readonly notSimulated: readonly string[];
}

/** The order of the worst first. */
export const verdictsWorstFirst: readonly Verdict[] = ['goes-down', 'blocks', 'degraded', 'stays'];
