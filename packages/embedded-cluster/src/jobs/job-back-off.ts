import { finishedAt, type JobPods } from './job-pods.ts';

/** The failures of a Job's pods since its last success; `lastFailureAt` in epoch milliseconds. */
export interface BackOff {
  readonly failures: number;
  readonly lastFailureAt: number;
}

export const noBackOff: BackOff = { failures: 0, lastFailureAt: 0 };

const firstSeconds = 10;
/** As in the code; the documentation of Job says six minutes. */
const longestSeconds = 600;

/** The record with the pods that have ended since (backoff_utils.go, newBackoffRecord). */
export function backOffAfter(before: BackOff, { newlySucceeded, newlyFailed }: JobPods): BackOff {
  const lastSuccessAt = Math.max(...newlySucceeded.map(finishedAt));
  const failuresAt = newlyFailed.map(finishedAt).filter((at) => at > lastSuccessAt);
  const known = newlySucceeded.length > 0 ? noBackOff : before;
  if (failuresAt.length === 0) return known;
  return { failures: known.failures + failuresAt.length, lastFailureAt: Math.max(...failuresAt) };
}

/** When the next pod may be created, epoch milliseconds: 10 s, 20 s … 600 s after the last failure (job_controller.go, DefaultJobPodFailureBackOff). */
export function nextPodAt({ failures, lastFailureAt }: BackOff): number {
  if (failures === 0) return 0;
  return lastFailureAt + 1000 * Math.min(firstSeconds * 2 ** (failures - 1), longestSeconds);
}
