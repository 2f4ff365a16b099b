import { parseDuration } from '../settings/duration.ts';
import type { ClaimDigest } from './digest.ts';
import type { ClusterChanged } from './events.ts';
import type { Replacement } from './run-result.ts';

/** A time in which the run itself disturbs nodes, and how many of them. */
export interface Disturbance {
  readonly from: number;
  readonly to: number;
  readonly mayReplaceNodes: number;
}

/** Pure. Every NodeClaim of the pool that went, with the cause (facts 3.6). More in a window than its scenario replaces are not ours. */
export function replacements(
  changes: readonly ClusterChanged[],
  disturbances: readonly Disturbance[],
): readonly Replacement[] {
  const counts = new Map<Disturbance, number>();
  return changes.flatMap((change) => {
    if (change.kind !== 'NodeClaim' || change.change !== 'deleted') return [];
    const at = Date.parse(change.at);
    const window = disturbances.find(({ from, to }) => at >= from && at <= to);
    const count = window === undefined ? 0 : (counts.get(window) ?? 0) + 1;
    if (window !== undefined) counts.set(window, count);
    const ours = window !== undefined && count <= window.mayReplaceNodes;
    const { name: nodeClaim, digest } = change;
    return [{ nodeClaim, node: digest.node ?? null, cause: causeOf(digest, at), ours, at: change.at }];
  });
}

function causeOf(claim: ClaimDigest, at: number): string {
  const { disruptionReason, drifted } = claim;
  if (disruptionReason === 'Drifted') return `drift: ${drifted ?? 'reason unknown'}`;
  if (disruptionReason === 'Empty' || disruptionReason === 'Underutilized') return `consolidation: ${disruptionReason}`;
  if (disruptionReason !== undefined) return disruptionReason;
  return isExpired(claim, at) ? 'expiration' : 'unknown';
}

/** Expiry is computed from the claim, not the pool (facts S1). */
function isExpired({ createdAt, expireAfter, deletingAt }: ClaimDigest, at: number): boolean {
  // `Never` is no duration, and never expires.
  const seconds = expireAfter === undefined ? undefined : parseDuration(expireAfter);
  if (seconds === undefined) return false;
  const end = deletingAt === undefined ? at : Date.parse(deletingAt);
  return end >= Date.parse(createdAt) + seconds * 1000;
}
