import { killedExitCode, type PodDigest } from '../record/digest.ts';
import type { History } from '../record/history.ts';

/** The end of one of the application's pods. */
export interface PodExit {
  readonly pod: string;
  /** From the news of its deletion to its end. */
  readonly seconds: number;
  /** Its containers ended by themselves within their grace; false when they were killed or still there when it was over. */
  readonly graceful: boolean;
}

/** The API's timestamps are whole seconds, and the kubelet tells the end a second late at most (facts 4.0: relist). */
const toleranceSeconds = 2;

/** Pure. The pods that were deleted and gone within that time (epoch milliseconds), by what the watch told. */
export function podExits({ changes }: History, from: number, to: number): readonly PodExit[] {
  const leaving = new Map<string, number>();
  return changes.flatMap((change) => {
    const at = change.instant;
    if (change.kind !== 'Pod' || at < from || at > to) return [];
    const { uid, deletingAt } = change.digest;
    if (deletingAt !== undefined && !leaving.has(uid)) leaving.set(uid, at);
    if (change.change !== 'deleted') return [];
    const since = leaving.get(uid) ?? at;
    return [{ pod: change.name, seconds: (at - since) / 1000, graceful: isGraceful(change.digest, at) }];
  });
}

function isGraceful({ exitCode, deletingAt }: PodDigest, goneAt: number): boolean {
  if (exitCode !== undefined) return exitCode !== killedExitCode;
  return deletingAt === undefined || goneAt <= Date.parse(deletingAt) + 1000 * toleranceSeconds;
}
