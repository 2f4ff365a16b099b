import type { Condition, KubernetesObject, LabelSelector } from './metadata.ts';
import type { PodTemplate } from './resources.ts';

/** batch/v1; what the API server sets by default is there in an object that was read. */
export interface Job extends KubernetesObject<'Job', 'batch/v1'> {
  readonly spec: JobSpec;
  readonly status?: JobStatus;
}
export interface JobSpec {
  readonly parallelism?: number;
  /** Absent: the Job is complete when one pod has succeeded and none is left (a work queue). */
  readonly completions?: number;
  readonly completionMode?: 'NonIndexed' | 'Indexed';
  readonly backoffLimit?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed';
  readonly podFailurePolicy?: { readonly rules: readonly PodFailureRule[] };
  /** Absent or `kubernetes.io/job-controller`: the built-in controller's. */
  readonly managedBy?: string;
  readonly selector?: LabelSelector;
  readonly template: PodTemplate;
}
export interface PodFailureRule {
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  readonly onExitCodes?: {
    /** Absent: of any container. */
    readonly containerName?: string;
    readonly operator: 'In' | 'NotIn';
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
}
export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  /** Uids of pods that have ended, and are not in `succeeded` and `failed` yet. */
  readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] };
  /** `0-2,5`. */
  readonly completedIndexes?: string;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly Condition[];
}

export interface CronJob extends KubernetesObject<'CronJob', 'batch/v1'> {
  readonly spec: {
    readonly schedule: string;
    /** Of the IANA database; absent: UTC, the zone of kube-controller-manager. */
    readonly timeZone?: string;
    readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
    readonly suspend?: boolean;
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: { readonly metadata?: PodTemplate['metadata']; readonly spec: JobSpec };
  };
  readonly status?: CronJobStatus;
}
export interface CronJobStatus {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}
/** core/v1 ObjectReference. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}
