import { calendarAt, isHit, parseCron } from '../objects/cron.ts';

const minuteMs = 60_000;

/**
 * Whether a budget with that schedule (cron, UTC) is active: the schedule was hit within the duration before `at`
 * (nodepool.go, Budget.IsActive). An invalid schedule is never active.
 */
export function isActive(schedule: string, durationSeconds: number, at: number): boolean {
  const parsed = parseCron(schedule);
  if (parsed === undefined) return false;
  const from = at - 1000 * durationSeconds;
  for (let minute = Math.floor(at / minuteMs) * minuteMs; minute > from; minute -= minuteMs)
    if (isHit(parsed, calendarAt(minute))) return true;
  return false;
}
