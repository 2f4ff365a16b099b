import type { Job, JobStatus } from '../kubernetes/batch.ts';
import { ApiError } from '../kubernetes/cluster.ts';
import type { Pod } from '../kubernetes/resources.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { sameJson } from '../objects/json.ts';
import { controllerOf, keysOfController } from '../objects/owners.ts';
import { isPodReady } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller, Site } from '../setup/site.ts';
import { deletionOrder } from '../workloads/replica-set.ts';
import { type JobPlan, planOf } from './job-plan.ts';
import {
  counts,
  finishedAt,
  isIndexed,
  isTracked,
  type JobPods,
  jobPod,
  jobPods,
  trackingFinalizer,
} from './job-pods.ts';
import {
  countedStatus,
  deadlineOf,
  type Ending,
  failureOf,
  isOver,
  type JobProgress,
  shownStatus,
  statusWithEnded,
  successOf,
} from './job-status.ts';

/** Job → pods, until enough have succeeded or too many have failed (pkg/controller/job/job_controller.go). */
export function job(): Controller {
  const backOffs = new Map<string, BackOff>();
  return reconciler({
    name: 'job',
    watches: {
      Job: (object, cache) =>
        cache.get('Job', keyOf(object)) === undefined ? orphansOf(object, cache) : [keyOf(object)],
      Pod: (pod, cache) => (isOrphan(pod, cache) ? [orphanKey(pod)] : keysOfController('Job')(pod)),
    },
    reaction: 'controllerReaction',
    reactions: { Pod: 'jobBatch' },
    reconcile: async (site, key) => {
      if (key.startsWith(orphanPrefix)) return releaseOrphan(site, key.slice(orphanPrefix.length));
      const wanted = site.cache.get('Job', key);
      if (wanted !== undefined && !isOver(wanted) && isOwn(wanted)) return sync({ site, job: wanted, key, backOffs });
      backOffs.delete(key);
      return undefined;
    },
  });
}

/** Another controller may have a Job of its own (`spec.managedBy`). */
const isOwn = ({ spec }: Job): boolean => (spec.managedBy ?? ownName) === ownName;
const ownName = 'kubernetes.io/job-controller';

const orphanPrefix = 'orphan ';
const orphanKey = (pod: Pod): string => `${orphanPrefix}${keyOf(pod)}`;

/** Whether the pod still waits to be counted by a Job that is gone (syncOrphanPod). */
function isOrphan(pod: Pod, cache: Cache): boolean {
  if (!isTracked(pod)) return false;
  const owner = controllerOf(pod);
  if (owner === undefined) return true;
  return (
    owner.kind === 'Job' && cache.get('Job', `${pod.metadata.namespace}/${owner.name}`)?.metadata.uid !== owner.uid
  );
}

const orphansOf = ({ metadata }: Job, cache: Cache): readonly string[] =>
  podsOf(cache, metadata.uid).filter(isTracked).map(orphanKey);

async function releaseOrphan(site: Site, key: string): Promise<undefined> {
  const pod = site.cache.get('Pod', key);
  if (pod !== undefined && isOrphan(pod, site.cache)) await release(site, pod);
}

function podsOf(cache: Cache, uid: string | undefined): readonly Pod[] {
  return [...cache.ownedBy(uid)].filter(
    (object): object is Pod => object.kind === 'Pod' && controllerOf(object)?.uid === uid,
  );
}

/** One Job at one moment. */
interface Work {
  readonly site: Site;
  readonly job: Job;
  readonly key: string;
  readonly backOffs: Map<string, BackOff>;
}

async function sync(work: Work): Promise<number | undefined> {
  const { site, job, key, backOffs } = work;
  const now = site.now();
  const all = podsOf(site.cache, job.metadata.uid);
  const pods = jobPods(job, all);
  const backOff = backOffAfter(backOffs.get(key) ?? noBackOff, pods);
  backOffs.set(key, backOff);
  const failure = failureOf(job, all, pods, now);
  const plan = planOf(job, pods, { isFailing: failure !== undefined, nextPodAt: nextPodAt(backOff), at: now });
  // To put thousands of pods in order at each of their changes takes longer than all else.
  const removed = plan.remove === 0 ? [] : deletionOrder(pods.active, site).slice(0, plan.remove);
  for (const pod of removed) await remove(work, pod, failure);
  for (const index of plan.create) await site.cluster.create(jobPod(job, index, site.random));
  await record(work, progressOf(work, { all, pods, plan, removed, failure }), all);
  const later = [plan.changesAt, deadlineOf(site.cache.get('Job', key) ?? job)].filter(
    (at) => at !== undefined && at > now,
  );
  return later.length === 0 ? undefined : (Math.min(...(later as number[])) - now) / 1000;
}

/** A pod that is surplus is not counted as a failure; one of a Job that fails is. */
async function remove({ site }: Work, pod: Pod, failure: Ending | undefined): Promise<void> {
  if (failure === undefined) await release(site, pod);
  await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '' });
}

interface Done {
  readonly all: readonly Pod[];
  readonly pods: JobPods;
  readonly plan: JobPlan;
  readonly removed: readonly Pod[];
  readonly failure: Ending | undefined;
}

function progressOf({ job }: Work, { all, pods, plan, removed, failure }: Done): JobProgress {
  const active = pods.active.length - removed.length + plan.create.length;
  const uncounted = job.status?.uncountedTerminatedPods ?? {};
  // Of a Job that fails every pod counts that has not succeeded.
  const left = all.filter((pod) => isTracked(pod) && pod.status?.phase !== 'Succeeded');
  const failed = (failure === undefined ? pods.newlyFailed : left).filter((pod) => counts(job, pod));
  return {
    pods,
    active,
    ready: pods.ready - removed.filter(isPodReady).length,
    terminating: pods.terminating.length + removed.length,
    ending: failure ?? (job.spec.suspend ? undefined : successOf(job, pods, active)),
    uncounted: {
      succeeded: isIndexed(job) ? [] : uids(uncounted.succeeded, pods.newlySucceeded),
      failed: uids(uncounted.failed, failed),
    },
  };
}

const uids = (before: readonly string[] | undefined, pods: readonly Pod[]): readonly string[] => [
  ...new Set([...(before ?? []), ...pods.map(({ metadata }) => metadata.uid ?? '')]),
];

/** The uids of the ended pods, then their release, then the counts (trackJobStatusAndRemoveFinalizers). */
async function record(work: Work, progress: JobProgress, all: readonly Pod[]): Promise<void> {
  const { site, job } = work;
  const status = shownStatus(statusWithEnded(job, progress, site.now()));
  await write(work, job.status ?? {}, status);
  const { newlySucceeded, newlyFailed } = progress.pods;
  const ended = progress.ending === undefined && job.metadata.deletionTimestamp === undefined ? [] : all;
  for (const pod of new Set([...newlySucceeded, ...newlyFailed, ...ended]))
    if (isTracked(pod)) await release(site, pod);
  await write(work, status, shownStatus(countedStatus(job, status, site.now())));
}

async function write({ site, key }: Work, before: JobStatus, status: JobStatus): Promise<void> {
  if (sameJson(status, before)) return;
  const value = [{ op: 'add', path: '/status', value: status }] as const;
  await site.cluster.patch('Job', placeOf(key), { type: 'json', value }, { subresource: 'status' });
}

/** Removes the tracking finalizer; a pod that is gone needs nothing. */
async function release(site: Site, pod: Pod): Promise<void> {
  const finalizers = (pod.metadata.finalizers ?? []).filter((one) => one !== trackingFinalizer);
  const metadata = { uid: pod.metadata.uid, finalizers: finalizers.length === 0 ? null : finalizers };
  await site.cluster.patch('Pod', placeOf(keyOf(pod)), { type: 'merge', value: { metadata } }).catch(unlessGone);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 409)) throw error;
}

/** The failures of a Job's pods since its last success; `lastFailureAt` in epoch milliseconds. */
interface BackOff {
  readonly failures: number;
  readonly lastFailureAt: number;
}

const noBackOff: BackOff = { failures: 0, lastFailureAt: 0 };

const firstSeconds = 10;
/** As in the code; the documentation of Job says six minutes. */
const longestSeconds = 600;

/** The record with the pods that have ended since (backoff_utils.go, newBackoffRecord). */
function backOffAfter(before: BackOff, { newlySucceeded, newlyFailed }: JobPods): BackOff {
  const lastSuccessAt = Math.max(...newlySucceeded.map(finishedAt));
  const failuresAt = newlyFailed.map(finishedAt).filter((at) => at > lastSuccessAt);
  const known = newlySucceeded.length > 0 ? noBackOff : before;
  if (failuresAt.length === 0) return known;
  return { failures: known.failures + failuresAt.length, lastFailureAt: Math.max(...failuresAt) };
}

/**
 * When the next pod may be created, epoch milliseconds: 10 s, 20 s … 600 s after the last failure (job_controller.go,
 * DefaultJobPodFailureBackOff).
 */
function nextPodAt({ failures, lastFailureAt }: BackOff): number {
  if (failures === 0) return 0;
  return lastFailureAt + 1000 * Math.min(firstSeconds * 2 ** (failures - 1), longestSeconds);
}
