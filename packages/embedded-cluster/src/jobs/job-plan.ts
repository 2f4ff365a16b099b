import type { Job } from '../kubernetes/batch.ts';
import type { Pod } from '../kubernetes/resources.ts';
import { indexOf, isIndexed, type JobPods } from './job-pods.ts';

/** What a Job does about its pods now. */
export interface JobPlan {
  /** How many of the active pods go. */
  readonly remove: number;
  /** The indexes of the pods to create; undefined stands for a pod without one. */
  readonly create: readonly (number | undefined)[];
  /** When more pods may be created, epoch milliseconds. */
  readonly changesAt?: number;
}

interface Circumstances {
  readonly isFailing: boolean;
  /** The end of the back-off, epoch milliseconds. */
  readonly nextPodAt: number;
  readonly at: number;
}

/** job_controller.go, manageJob. */
export function planOf(job: Job, pods: JobPods, { isFailing, nextPodAt, at }: Circumstances): JobPlan {
  const { spec, metadata } = job;
  if (isFailing || spec.suspend) return { remove: pods.active.length, create: [] };
  if (metadata.deletionTimestamp !== undefined) return { remove: 0, create: [] };
  const wanted = wantedOf(job, pods);
  const going = spec.podReplacementPolicy === 'Failed' ? pods.terminating : [];
  const missing = wanted - going.length - pods.active.length;
  if (missing <= 0) return { remove: Math.max(0, pods.active.length - wanted), create: [] };
  if (nextPodAt > at) return { remove: 0, create: [], changesAt: nextPodAt };
  if (!isIndexed(job)) return { remove: 0, create: Array.from({ length: missing }, () => undefined) };
  return { remove: 0, create: pendingIndexes(job, pods, going).slice(0, missing) };
}

/**
 * At most `parallelism` pods at once, and no more than successes are missing; a work queue gets none after its first
 * success.
 */
function wantedOf({ spec }: Job, { active, succeeded }: JobPods): number {
  const { parallelism = 1, completions } = spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

function pendingIndexes({ spec }: Job, { active, completed }: JobPods, going: readonly Pod[]): readonly number[] {
  const taken = new Set([...completed, ...[...active, ...going].map(indexOf)]);
  return Array.from({ length: spec.completions ?? 0 }, (_, index) => index).filter((index) => !taken.has(index));
}
