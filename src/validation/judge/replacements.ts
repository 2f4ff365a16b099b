import { parseDuration } from '../../settings/duration.ts';
import { holdsStayingPod } from '../measure/pool.ts';
import type { ClaimDigest } from '../record/digest.ts';
import { becameNode, type Dated, type History, type View, viewAt } from '../record/history.ts';
import type { TakenNode } from '../record/records.ts';
import type { Replacement } from './run-result.ts';

/** What the run did on purpose. Instants are epoch milliseconds. */
export interface Ours {
  readonly taken: readonly TakenNode[];
  /** Windows of which empty nodes that the autoscaler removes are an effect. */
  readonly mayRemoveEmptyNodes: readonly { readonly from: number; readonly to: number }[];
  /** From each of its changes of the number of the application's replicas to the end of that scenario. */
  readonly scaled: readonly { readonly from: number; readonly to: number }[];
}

/** Pure. Every node of the pool whose NodeClaim went or was going in the end, with the cause and whether it was ours (facts 3.6). */
export function replacements(history: History, ours: Ours): readonly Replacement[] {
  const left = [...gone(history), ...going(history)].filter(({ claim }) => becameNode(claim));
  return left.map(({ name, claim, at }) => {
    const begunAt = disruptionBegan(history, claim) ?? at;
    const attributed = attribute({ claim, begunAt }, history, ours);
    return { nodeClaim: name, node: claim.node ?? null, ...attributed, at: new Date(at).toISOString() };
  });
}

interface Leaving {
  readonly name: string;
  readonly claim: ClaimDigest;
  /** Epoch milliseconds. */
  readonly at: number;
}

function gone({ changes }: History): readonly Leaving[] {
  return changes.flatMap(({ kind, change, name, digest, instant: at }) =>
    kind === 'NodeClaim' && change === 'deleted' ? [{ name, claim: digest, at }] : [],
  );
}

/** A deletion is not taken back: what holds it up only holds it up. */
function going(history: History): readonly Leaving[] {
  const last = viewAt(history, Number.POSITIVE_INFINITY);
  return [...last.NodeClaim].flatMap(([name, claim]) => {
    const at = claim.deletingAt === undefined ? undefined : disruptionBegan(history, claim);
    return at === undefined ? [] : [{ name, claim, at }];
  });
}

interface Gone {
  readonly claim: ClaimDigest;
  /** When the autoscaler began to take it away. */
  readonly begunAt: number;
}

/** The first news of a reason, or of the deletion. */
function disruptionBegan({ changes }: History, { uid }: ClaimDigest): number | undefined {
  const first = changes.find(
    (change) =>
      change.kind === 'NodeClaim' &&
      change.digest.uid === uid &&
      (change.digest.disruptionReason !== undefined || change.digest.deletingAt !== undefined),
  );
  return first?.instant;
}

function attribute(gone: Gone, history: History, ours: Ours): Pick<Replacement, 'cause' | 'ours'> {
  const { node, disruptionReason } = gone.claim;
  const deeds = new Set(
    ours.taken.filter((taken) => taken.node === node && taken.at <= gone.begunAt).map(({ action }) => action),
  );
  if (deeds.has('terminate-instance')) return { cause: 'this run ended its instance', ours: true };
  const cause = causeOf(gone);
  const deed = deedsThatLeadTo(disruptionReason).find((action) => deeds.has(action));
  if (deed !== undefined) return { cause: `${cause}, after this run did ${deed}`, ours: true };
  return { cause, ours: disruptionReason === 'Empty' && mayBeRemoved(gone, history, ours) };
}

/** A node drifts because it was marked, and it stands empty because it was drained; nothing else follows from a deed. */
function deedsThatLeadTo(reason: string | undefined): readonly string[] {
  if (reason === 'Drifted') return ['mark-drift'];
  return reason === 'Empty' || reason === 'Underutilized' ? ['drain-node'] : [];
}

/** An empty one in a window of consolidation, and one that a scale of this run had emptied: an owner's `consolidateAfter` may be short. */
function mayBeRemoved({ claim: { node }, begunAt }: Gone, history: History, ours: Ours): boolean {
  const view = viewAt(history, begunAt);
  if (node === undefined || holdsStayingPod(view, node)) return false;
  if (ours.mayRemoveEmptyNodes.some(({ from, to }) => begunAt >= from && begunAt <= to)) return true;
  const leftBy = begunAt - emptyForMs(view);
  return history.changes.some((change) => change.instant <= leftBy && leavesScaled(change, node, ours));
}

/** How long the pool wants a node to be empty before it goes; 0s by default (karpenter.sh/v1 NodePool, `consolidateAfter`). */
function emptyForMs({ NodePool }: View): number {
  const after = [...NodePool.values()].map(({ consolidateAfter = '0s' }) => parseDuration(consolidateAfter));
  return Math.min(...after.map((seconds) => 1000 * (seconds ?? Number.POSITIVE_INFINITY)));
}

function leavesScaled({ kind, change, digest, instant }: Dated, node: string, { scaled }: Ours): boolean {
  const leaves = kind === 'Pod' && digest.node === node && (change === 'deleted' || digest.deletingAt !== undefined);
  return leaves && scaled.some(({ from, to }) => instant >= from && instant <= to);
}

function causeOf({ claim, begunAt }: Gone): string {
  const { disruptionReason, drifted } = claim;
  if (disruptionReason === 'Drifted') return `drift: ${drifted ?? 'reason unknown'}`;
  if (disruptionReason === 'Empty' || disruptionReason === 'Underutilized') return `consolidation: ${disruptionReason}`;
  if (disruptionReason !== undefined) return disruptionReason;
  return isExpired(claim, begunAt) ? 'expiration' : 'unknown';
}

/** Expiry is computed from the claim, not the pool (facts S1). */
function isExpired({ createdAt, expireAfter, deletingAt }: ClaimDigest, at: number): boolean {
  // `Never` is no duration, and never expires.
  const seconds = expireAfter === undefined ? undefined : parseDuration(expireAfter);
  if (seconds === undefined) return false;
  const end = deletingAt === undefined ? at : Date.parse(deletingAt);
  return end >= Date.parse(createdAt) + seconds * 1000;
}
