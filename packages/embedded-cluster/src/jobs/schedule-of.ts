import type { CronJob } from '../kubernetes/batch.ts';
import { type Cron, nextHit, parseCron } from '../objects/cron.ts';
import { instantOf } from '../objects/timestamps.ts';

/** The times of a CronJob, epoch milliseconds. */
export interface Schedule {
  /** The latest time that has come and has no Job yet; older ones are missed for good. */
  readonly dueAt?: number;
  readonly nextAt?: number;
}

/**
 * Nothing while it is suspended, or without a schedule or a time zone that can be read. A time that came longer than
 * `startingDeadlineSeconds` ago is missed (cronjob/utils.go, mostRecentScheduleTime).
 */
export function scheduleOf({ spec, status, metadata }: CronJob, at: number): Schedule {
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
