import { UsageError } from '../../host/errors.ts';
import { type TargetStatus, targetStatus } from '../../report/daily.ts';
import { doubtOf, unreadOf } from '../../validation/downtime/certainty.ts';
import { latencyCounter } from '../../validation/downtime/latency.ts';
import { type MeasuredLog, measureLog } from '../../validation/downtime/measure-log.ts';
import type { LogFiles } from '../../validation/downtime/read-plain-log.ts';
import { inOrder, rotatedLogs } from '../../validation/downtime/rotated-logs.ts';

/** What a status page tells of. */
export const statusDays = 90;

/**
 * What logs show of each of their targets in the last 90 days up to their last sample. Where two logs have a target of
 * the same address, as those of two vantage points, each is called by its log too. A log that is not understood is a
 * `UsageError`.
 */
export async function readStatus(from: LogFiles, paths: readonly string[]): Promise<readonly TargetStatus[]> {
  const logs: { readonly name: string; readonly measured: MeasuredLog }[] = [];
  for (const { name, paths: parts } of rotatedLogs(paths)) {
    const measured = await measureLog(from, await inOrder(from.files, parts), {}, latencyCounter());
    requireUnderstood(name, measured);
    logs.push({ name, measured });
  }
  const lastAt = Math.max(...logs.map(({ measured }) => measured.last));
  const all = logs.flatMap(({ name, measured }) =>
    measured.targets.map((one) => ({ ...one, name, target: one.target || (measured.part.targets[0] ?? name) })),
  );
  const isTwice = (target: string) => all.filter((one) => one.target === target).length > 1;
  return all.map((one) =>
    targetStatus(isTwice(one.target) ? `${one.target} (${one.name})` : one.target, one, lastAt, statusDays),
  );
}

/** All files of a log that are beside it: the rotated ones too. */
export async function filesOfLog(files: LogFiles['files'], path: string): Promise<readonly string[]> {
  const end = path.lastIndexOf('/') + 1;
  const names = await files.list(end === 0 ? '.' : path.slice(0, end));
  const all = rotatedLogs(names.map((name) => `${path.slice(0, end)}${name}`));
  return all.find(({ paths }) => paths.includes(path))?.paths ?? [path];
}

function requireUnderstood(name: string, { understood }: MeasuredLog): void {
  const unread = unreadOf(understood);
  const doubt = doubtOf({ log: { samples: 0, unknown: 0 }, unread, outages: [] });
  if (doubt === undefined) return;
  throw new UsageError([
    `${name} has ${unread.lines} of ${unread.ofLines} lines that are not understood, the first of which is '${unread.first}'.`,
  ]);
}
