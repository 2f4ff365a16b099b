import { parseDuration } from '../../settings/duration.ts';
import { actionNamed } from '../actions/index.ts';
import { holdsStayingPod } from '../measure/pool.ts';
import type { ClaimDigest } from '../record/digest.ts';
import { becameNode, type Dated, type History, type View, viewAt } from '../record/history.ts';
import type { TakenNode } from '../record/records.ts';
import type { Replacement } from './run-result.ts';

/** What the run caused on purpose. Instants are epoch milliseconds. */
export interface Ours {
  readonly taken: readonly TakenNode[];
  /** Windows in which the run expects the autoscaler to remove empty nodes. */
  readonly mayRemoveEmptyNodes: readonly { readonly from: number; readonly to: number }[];
  /** The pool's owner lets Karpenter consolidate it (`manifests: none`): what its policy does is no surprise. */
  readonly isOwnersPool?: boolean;
  /** From each change of the application's replicas by the run to the end of its scenario. */
  readonly scaled: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Every node of the pool whose NodeClaim was deleted or being deleted at the end, with the cause and whether the run
 * caused it (docs/facts/karpenter.md, "Why a NodeClaim went").
 */
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

/** A deletion cannot be taken back, so a claim that is being deleted counts as gone. */
function going(history: History): readonly Leaving[] {
  const last = viewAt(history, Number.POSITIVE_INFINITY);
  return [...last.NodeClaim].flatMap(([name, claim]) => {
    const at = claim.deletingAt === undefined ? undefined : disruptionBegan(history, claim);
    return at === undefined ? [] : [{ name, claim, at }];
  });
}

interface Gone {
  readonly claim: ClaimDigest;
  /** When the autoscaler began to remove it. */
  readonly begunAt: number;
}

/** When the claim first had a disruption reason or a deletion timestamp. */
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
  const actions = ours.taken.filter((taken) => taken.node === node && taken.at <= gone.begunAt);
  const replacedFor = ({ action }: TakenNode) => actionNamed(action)?.replacedFor ?? [];
  if (actions.some((one) => replacedFor(one) === 'instance-ended'))
    return { cause: 'this run ended its instance', ours: true };
  const cause = causeOf(gone);
  const led = actions.find((one) => disruptionReason !== undefined && replacedFor(one).includes(disruptionReason));
  if (led !== undefined) return { cause: `${cause}, after this run did ${led.action}`, ours: true };
  if (ours.isOwnersPool && (disruptionReason === 'Empty' || disruptionReason === 'Underutilized'))
    return { cause: `${cause}, as the pool’s owner has it`, ours: true };
  return { cause, ours: disruptionReason === 'Empty' && mayBeRemoved(gone, history, ours) };
}

/**
 * An empty node in a window of consolidation, or one that a scale of this run had emptied, because the owner's
 * `consolidateAfter` may be short.
 */
function mayBeRemoved({ claim: { node }, begunAt }: Gone, history: History, ours: Ours): boolean {
  const view = viewAt(history, begunAt);
  if (node === undefined || holdsStayingPod(view, node)) return false;
  if (ours.mayRemoveEmptyNodes.some(({ from, to }) => begunAt >= from && begunAt <= to)) return true;
  const leftBy = begunAt - emptyForMs(view);
  return history.changes.some((change) => change.instant <= leftBy && leavesScaled(change, node, ours));
}

/**
 * How long a node must be empty before the pool removes it: `consolidateAfter` of the karpenter.sh/v1 NodePool, 0s by
 * default.
 */
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

/**
 * Karpenter computes expiry from the claim's `expireAfter`, not the pool's (docs/facts/karpenter.md, "Forceful
 * disruption").
 */
function isExpired({ createdAt, expireAfter, deletingAt }: ClaimDigest, at: number): boolean {
  // `Never` is no duration.
  const seconds = expireAfter === undefined ? undefined : parseDuration(expireAfter);
  if (seconds === undefined) return false;
  const end = deletingAt === undefined ? at : Date.parse(deletingAt);
  return end >= Date.parse(createdAt) + seconds * 1000;
}
