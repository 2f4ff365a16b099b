import type { CronJob, CronJobStatus, Job, ObjectReference } from '../kubernetes/batch.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { conditionOf, isTrue } from '../objects/conditions.ts';
import { type Cron, nextHit, parseCron } from '../objects/cron.ts';
import { sameJson } from '../objects/json.ts';
import { controlledBy, controllerOf, keysOfController } from '../objects/owners.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';
import { isOver } from './job-status.ts';

/** CronJob → a Job for each time of its schedule (pkg/controller/cronjob/cronjob_controllerv2.go). */
export const cronJob = reconciler({
  name: 'cron-job',
  watches: { CronJob: (object) => [keyOf(object)], Job: keysOfController('CronJob') },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const wanted = site.cache.get('CronJob', key);
    if (wanted === undefined || wanted.metadata.deletionTimestamp !== undefined) return undefined;
    const jobs = jobsOf(site, wanted);
    await forgetHistory(site, wanted, jobs);
    const status = statusOf(wanted, jobs);
    const { dueAt, nextAt } = scheduleOf(wanted, site.now());
    const started = dueAt === undefined ? undefined : await start(site, wanted, status, dueAt);
    await write(site, wanted, started ?? status);
    return nextAt === undefined ? undefined : (nextAt - site.now()) / 1000 + scheduleDeltaSeconds;
  },
});

/** So that the time has surely come (nextScheduleDelta). */
const scheduleDeltaSeconds = 0.1;

function jobsOf(site: Site, { metadata: { uid } }: CronJob): readonly Job[] {
  return [...site.cache.ownedBy(uid)].filter(
    (object): object is Job => object.kind === 'Job' && controllerOf(object)?.uid === uid,
  );
}

/** Which of its Jobs run, and when the last one succeeded. */
function statusOf({ status = {} }: CronJob, jobs: readonly Job[]): CronJobStatus {
  const running = new Set(jobs.filter((one) => !isOver(one)).map(({ metadata }) => metadata.uid));
  const active = (status.active ?? []).filter(({ uid }) => running.has(uid ?? ''));
  const ends = jobs.filter((one) => isTrue(one, 'Complete')).flatMap(({ status: of }) => of?.completionTime ?? []);
  const lastSuccessfulTime = [...ends, status.lastSuccessfulTime ?? ''].toSorted().at(-1) ?? '';
  const { active: _, ...rest } = status;
  return {
    ...rest,
    ...(active.length > 0 ? { active } : {}),
    ...(lastSuccessfulTime === '' ? {} : { lastSuccessfulTime }),
  };
}

/** The Job of that time, unless its concurrency policy keeps it; the status with it. */
async function start(
  site: Site,
  wanted: CronJob,
  status: CronJobStatus,
  dueAt: number,
): Promise<CronJobStatus | undefined> {
  const { concurrencyPolicy = 'Allow' } = wanted.spec;
  const active = status.active ?? [];
  if (concurrencyPolicy === 'Forbid' && active.length > 0) return undefined;
  if (concurrencyPolicy === 'Replace') for (const one of active) await remove(site, one);
  const { apiVersion, kind, metadata } = await site.cluster.create(jobAt(wanted, dueAt));
  const { name, namespace = '', uid = '', resourceVersion = '' } = metadata;
  const reference = { apiVersion, kind, name, namespace, uid, resourceVersion };
  const kept = concurrencyPolicy === 'Replace' ? [] : active;
  return { ...status, active: [...kept, reference], lastScheduleTime: timestamp(dueAt) };
}

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** Its name ends in the minutes since 1970, so that no time gets two Jobs (getJobFromTemplate2). */
function jobAt(wanted: CronJob, dueAt: number): Job {
  const { metadata: template = {}, spec } = wanted.spec.jobTemplate;
  const { name, namespace } = wanted.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...template,
      annotations: { ...template.annotations, [scheduledAnnotation]: timestamp(dueAt) },
      name: `${name}-${Math.floor(dueAt / 60_000)}`,
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [controlledBy(wanted)],
    },
    spec,
  };
}

/**
 * The oldest Jobs that are over go, beyond the limits for those that succeeded and those that failed
 * (cleanupFinishedJobs).
 */
async function forgetHistory(site: Site, { spec }: CronJob, jobs: readonly Job[]): Promise<void> {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec;
  const limits = { Complete: successfulJobsHistoryLimit, Failed: failedJobsHistoryLimit };
  for (const [type, limit] of Object.entries(limits)) {
    const over = jobs.filter((one) => conditionOf(one, type)?.status === 'True' && !isGoing(one));
    const oldestFirst = over.toSorted((a, b) => startedAt(a) - startedAt(b));
    for (const { metadata } of oldestFirst.slice(0, Math.max(0, over.length - limit))) await remove(site, metadata);
  }
}

const isGoing = ({ metadata }: Job): boolean => metadata.deletionTimestamp !== undefined;
const startedAt = ({ status, metadata }: Job): number =>
  instantOf(status?.startTime ?? metadata.creationTimestamp ?? '');

async function remove(site: Site, { namespace = '', name, uid = '' }: Omit<ObjectReference, 'apiVersion' | 'kind'>) {
  await site.cluster.delete('Job', { namespace, name }, { uid, propagationPolicy: 'Background' });
}

async function write(site: Site, wanted: CronJob, status: CronJobStatus): Promise<void> {
  if (sameJson(status, wanted.status ?? {})) return;
  const value = [{ op: 'add', path: '/status', value: status }] as const;
  await site.cluster.patch('CronJob', placeOf(keyOf(wanted)), { type: 'json', value }, { subresource: 'status' });
}

/** The times of a CronJob, epoch milliseconds. */
interface Schedule {
  /** The latest time that has come and has no Job yet; older ones are missed for good. */
  readonly dueAt?: number;
  readonly nextAt?: number;
}

/**
 * Nothing while it is suspended, or without a schedule or a time zone that can be read. A time that came longer than
 * `startingDeadlineSeconds` ago is missed (cronjob/utils.go, mostRecentScheduleTime).
 */
function scheduleOf({ spec, status, metadata }: CronJob, at: number): Schedule {
  const cron = parseCron(spec.schedule);
  if (cron === undefined || spec.suspend || !isZone(spec.timeZone)) return {};
  const { startingDeadlineSeconds: deadline = Number.POSITIVE_INFINITY } = spec;
  const known = instantOf(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  const dueAt = latestHit(cron, Math.max(known, at - 1000 * deadline), at, spec.timeZone);
  const nextAt = nextHit(cron, at, spec.timeZone);
  return { ...(dueAt === undefined ? {} : { dueAt }), ...(nextAt === undefined ? {} : { nextAt }) };
}

function latestHit(cron: Cron, after: number, at: number, timeZone: string | undefined): number | undefined {
  let latest: number | undefined;
  for (let hit = nextHit(cron, after, timeZone); hit !== undefined && hit <= at; hit = nextHit(cron, hit, timeZone))
    latest = hit;
  return latest;
}

function isZone(timeZone: string | undefined): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
