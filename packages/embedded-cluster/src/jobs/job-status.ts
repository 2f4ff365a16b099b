import type { Job, JobStatus } from '../kubernetes/batch.ts';
import type { Condition } from '../kubernetes/metadata.ts';
import type { Pod } from '../kubernetes/resources.ts';
import { conditionOf, isTrue, type Stated, withConditions } from '../objects/conditions.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import { indexesText, isIndexed, type JobPods } from './job-pods.ts';
import { ruleMatch } from './pod-failure-policy.ts';

/** Whether the Job is Complete or Failed. */
export const isOver = (job: Job): boolean => isTrue(job, 'Complete') || isTrue(job, 'Failed');

/** Why a Job ends: it is Failed or Complete for the same reason once its last pod is gone. */
export type Ending = Stated & { readonly type: 'FailureTarget' | 'SuccessCriteriaMet' };

const failure = (reason: string, message: string): Ending => ({
  type: 'FailureTarget',
  status: 'True',
  reason,
  message,
});

/**
 * Why the Job fails, if it does: what was decided before, its podFailurePolicy, its back-off limit, its deadline
 * (job_controller.go, syncJob).
 */
export function failureOf(
  job: Job,
  all: readonly Pod[],
  { failed, newlyFailed }: JobPods,
  at: number,
): Ending | undefined {
  const decided = conditionOf(job, 'FailureTarget');
  if (decided?.status === 'True') return failure(decided.reason ?? '', decided.message ?? '');
  const rule = newlyFailed.map((pod) => ruleMatch(job, pod)).find((match) => match?.action === 'FailJob');
  if (rule !== undefined) return failure('PodFailurePolicy', rule.message);
  if (failed > limitOf(job) || doRestartsExceed(job, all))
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const deadline = deadlineOf(job);
  if (deadline !== undefined && deadline <= at)
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
  return undefined;
}

/** The API's default is 6. */
const limitOf = ({ spec }: Job): number => spec.backoffLimit ?? 6;

/** Restarts inside the pods count where restartPolicy is OnFailure (pastBackoffLimitOnFailure). */
function doRestartsExceed(job: Job, all: readonly Pod[]): boolean {
  if (job.spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const live = all.filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending');
  const containers = live.flatMap(({ status }) => status?.containerStatuses ?? []);
  const restarts = containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limitOf(job) === 0 ? restarts > 0 : restarts >= limitOf(job);
}

/**
 * When `activeDeadlineSeconds` are over, epoch milliseconds; undefined without them, and while the Job is suspended.
 */
export function deadlineOf({ spec, status }: Job): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || spec.suspend || status?.startTime === undefined) return undefined;
  return instantOf(status.startTime) + 1000 * spec.activeDeadlineSeconds;
}

/** Enough pods have succeeded, and none is active. */
export function successOf({ spec }: Job, { succeeded }: JobPods, active: number): Ending | undefined {
  if (active > 0 || succeeded < (spec.completions ?? 1)) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { type: 'SuccessCriteriaMet', status: 'True', reason: 'CompletionsReached', message };
}

/** What a sync has found and done. */
export interface JobProgress {
  readonly pods: JobPods;
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly ending: Ending | undefined;
  /** Uids of the pods that have ended and are not counted yet. */
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
}

/**
 * The status before the finalizers of the pods that have ended are removed: it has their uids, so that each is counted
 * once.
 */
export function statusWithEnded(job: Job, progress: JobProgress, at: number): JobStatus {
  const { pods, active, ready, terminating, ending, uncounted } = progress;
  const suspended = suspension(job, at);
  const conditions = ending === undefined ? suspended : withConditions(job.status?.conditions, [ending], at);
  const { length } = conditions ?? [];
  return {
    ...job.status,
    ...startOf(job, conditions, at),
    ...(isIndexed(job) ? indexesOf(pods) : {}),
    ...(length > 0 && conditions !== undefined ? { conditions } : {}),
    active,
    ready,
    terminating,
    uncountedTerminatedPods: uncounted,
  };
}

const indexesOf = ({ completed }: JobPods): Partial<JobStatus> =>
  completed.size === 0 ? {} : { completedIndexes: indexesText(completed), succeeded: completed.size };

/** A Job that was never suspended has no such condition. */
function suspension({ spec, status }: Job, at: number): readonly Condition[] | undefined {
  const before = conditionOf({ status: status ?? {} }, 'Suspended');
  if (spec.suspend)
    return withConditions(
      status?.conditions,
      [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }],
      at,
    );
  if (before?.status !== 'True') return status?.conditions;
  return withConditions(
    status?.conditions,
    [{ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' }],
    at,
  );
}

/** A Job starts when it is first not suspended, and anew whenever it is resumed. */
function startOf(job: Job, conditions: readonly Condition[] | undefined, at: number): Partial<JobStatus> {
  if (job.spec.suspend) return {};
  const isResumed = isTrue(job, 'Suspended') && !isTrue({ status: { conditions: conditions ?? [] } }, 'Suspended');
  return job.status?.startTime !== undefined && !isResumed ? {} : { startTime: timestamp(at) };
}

const ends = { FailureTarget: 'Failed', SuccessCriteriaMet: 'Complete' } as const;

/**
 * The status after those finalizers are removed: the pods are counted, and the Job is over once none of its pods is
 * terminating.
 */
export function countedStatus(job: Job, before: JobStatus, at: number): JobStatus {
  const { succeeded = [], failed = [] } = before.uncountedTerminatedPods ?? {};
  const counted = {
    ...before,
    succeeded: (before.succeeded ?? 0) + (isIndexed(job) ? 0 : succeeded.length),
    failed: (before.failed ?? 0) + failed.length,
    uncountedTerminatedPods: {},
  };
  const why = before.conditions?.find(({ type, status }) => type in ends && status === 'True');
  if (why === undefined || (before.terminating ?? 0) > 0) return counted;
  const { reason = '', message = '' } = why;
  const over: Stated = { type: ends[why.type as keyof typeof ends], status: 'True', reason, message };
  const conditions = withConditions(before.conditions, [over], at);
  return { ...counted, conditions, ...(over.type === 'Complete' ? { completionTime: timestamp(at) } : {}) };
}

/** Counts that are 0 and empty lists are left out, as in Go's JSON (omitempty). */
export function shownStatus({ active, succeeded, failed, uncountedTerminatedPods, ...rest }: JobStatus): JobStatus {
  const uncounted = Object.entries(uncountedTerminatedPods ?? {}).filter(([, uids]) => uids.length > 0);
  return {
    ...rest,
    ...(active ? { active } : {}),
    ...(succeeded ? { succeeded } : {}),
    ...(failed ? { failed } : {}),
    uncountedTerminatedPods: Object.fromEntries(uncounted),
  };
}
