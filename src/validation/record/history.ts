import type { ClaimDigest, Digests, NodeDigest, WatchedKind } from './digest.ts';
import type { ClusterChanged } from './events.ts';

/** The cluster as it was watched: every change, in order. */
export interface History {
  readonly changes: readonly Dated[];
  /** Kinds whose objects were all listed once. Without that, changes of a kind are no evidence. */
  readonly watched: ReadonlySet<WatchedKind>;
  readonly gaps: readonly Gap[];
  /** The pods of the other applications of the run, in order; absent where there is none. */
  readonly beside?: readonly Dated[];
}

/** A time in which a kind was not watched. Instants are epoch milliseconds. */
export interface Gap {
  readonly kind: WatchedKind;
  readonly from: number;
  readonly to: number;
}

/** A change with its instant in epoch milliseconds, because histories are read by time. */
export type Dated = ClusterChanged & { readonly instant: number };

export const dated = (change: ClusterChanged): Dated => ({ ...change, instant: Date.parse(change.at) });

/** Whether that kind was watched without a gap in that time. */
export function wasWatched(
  { watched, gaps }: History,
  kind: WatchedKind,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return watched.has(kind) && !gaps.some((gap) => gap.kind === kind && gap.from <= to && gap.to >= from);
}

/** The objects of each watched kind by name. */
export type View = { readonly [K in WatchedKind]: ReadonlyMap<string, Digests[K]> };

/** The objects that existed at that instant (epoch milliseconds, inclusive). */
export function viewAt({ changes }: Pick<History, 'changes'>, at: number): View {
  const view = emptyView();
  for (const change of changes) {
    if (change.instant > at) break;
    applyChange(view, change);
  }
  return view;
}

/**
 * Calls `look` with the view at the start of the window and after each change in it. The view is changed afterwards:
 * keep none of it.
 */
export function eachView(history: History, from: number, to: number, look: (view: View, at: number) => void): void {
  const view = emptyView();
  let started = false;
  for (const change of history.changes) {
    const at = change.instant;
    if (at > to) break;
    if (at > from && !started) {
      look(view, from);
      started = true;
    }
    applyChange(view, change);
    if (started) look(view, at);
  }
  if (!started) look(view, from);
}

/**
 * The autoscaler is removing this node: it is tainted or being deleted, and its instance does not end yet
 * (docs/facts/karpenter.md, "Disruption budgets").
 */
export function isBeingDisrupted(claim: ClaimDigest, node: NodeDigest | undefined): boolean {
  return isLeaving(claim, node) && becameNode(claim) && !claim.instanceTerminating;
}

/** Tainted by the autoscaler, or being deleted. */
export function isLeaving({ deletingAt }: ClaimDigest, node: NodeDigest | undefined): boolean {
  return deletingAt !== undefined || node?.disrupted === true;
}

/** Karpenter replaces a claim that the cloud has no capacity for; such a claim never had a node to disrupt. */
export const becameNode = ({ node }: ClaimDigest): boolean => node !== undefined;

type MutableView = { readonly [K in WatchedKind]: Map<string, Digests[K]> };

function emptyView(): MutableView {
  return {
    Deployment: new Map(),
    EndpointSlice: new Map(),
    IngressPod: new Map(),
    Node: new Map(),
    NodeClaim: new Map(),
    NodePool: new Map(),
    Pod: new Map(),
    PodDisruptionBudget: new Map(),
  };
}

function applyChange(view: MutableView, change: ClusterChanged): void {
  const objects = view[change.kind] as Map<string, Digests[WatchedKind]>;
  if (change.change === 'deleted') objects.delete(change.name);
  else objects.set(change.name, change.digest);
}
