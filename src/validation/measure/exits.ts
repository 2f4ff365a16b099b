import { killedExitCode, type PodDigest } from '../record/digest.ts';
import type { History } from '../record/history.ts';

/** The end of one of the application's pods. */
export interface PodExit {
  readonly pod: string;
  /** From its deletion, as the watch saw it, to its end. */
  readonly seconds: number;
  /** Its containers ended by themselves in the grace period; false if they were killed or outlived it. */
  readonly graceful: boolean;
}

/** The API's timestamps are whole seconds, and the kubelet reports the end at most a second late (docs/facts/kubernetes.md, "The end of a pod"). */
const toleranceSeconds = 2;

/** The pods that were deleted and gone in that time (epoch milliseconds). */
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
