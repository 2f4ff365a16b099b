import type { ClaimDigest, Digests, NodeDigest, WatchedKind } from './digest.ts';
import type { ClusterChanged } from './events.ts';

/** The cluster as the watch told it: what was there at a moment, and every change in order. */
export interface History {
  readonly changes: readonly Dated[];
  /** Kinds of which the watch has told everything once: without that, nothing said of them is evidence. */
  readonly watched: ReadonlySet<WatchedKind>;
  readonly gaps: readonly Gap[];
}

/** A time of which the watch told nothing; instants are epoch milliseconds. */
export interface Gap {
  readonly kind: WatchedKind;
  readonly from: number;
  readonly to: number;
}

/** A change with its instant, epoch milliseconds, because every question about a history is asked by time. */
export type Dated = ClusterChanged & { readonly instant: number };

/** Pure. */
export const dated = (change: ClusterChanged): Dated => ({ ...change, instant: Date.parse(change.at) });

/** Pure. Whether everything is known of that kind in that time. */
export function wasWatched(
  { watched, gaps }: History,
  kind: WatchedKind,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return watched.has(kind) && !gaps.some((gap) => gap.kind === kind && gap.from <= to && gap.to >= from);
}

export type View = { readonly [K in WatchedKind]: ReadonlyMap<string, Digests[K]> };

/** Pure. What was there at that moment (epoch milliseconds, inclusive). */
export function viewAt({ changes }: History, at: number): View {
  const view = emptyView();
  for (const change of changes) {
    if (change.instant > at) break;
    applyChange(view, change);
  }
  return view;
}

/** Pure. Calls back with the view after each change of the window, and once with the view at its start. */
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

/** A node that the autoscaler is taking away: tainted or leaving, and its instance not yet ending (facts 3.3, consequence 2). */
export function isBeingDisrupted(claim: ClaimDigest, node: NodeDigest | undefined): boolean {
  return isLeaving(claim, node) && becameNode(claim) && !claim.instanceTerminating;
}

/** Tainted by the autoscaler, or on its way out. */
export function isLeaving({ deletingAt }: ClaimDigest, node: NodeDigest | undefined): boolean {
  return deletingAt !== undefined || node?.disrupted === true;
}

/** Karpenter deletes a claim that the cloud has no capacity for, and makes another: no node was there to be disrupted. */
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
