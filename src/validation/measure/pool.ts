import type { Bounded } from '../../figures/figures.js';
import type { ClaimDigest, NodeDigest } from '../record/digest.ts';
import { eachView, isBeingDisrupted, isLeaving, type View, viewAt } from '../record/history.ts';
import type { Round } from '../record/records.ts';
import type { Evidence } from './evidence.ts';
import { arrival } from './since.ts';
import { claimGoneAt, emptiedNodes } from './steps.ts';
import { happened, known, longestOf, type Moment, secondsBetween } from './witnesses.ts';

export interface PoolMeasurement {
  readonly nodeReplacement: Bounded | null;
  readonly nodeReady: Bounded | null;
  /** Times of nodes whose witnesses contradict each other. */
  readonly doubts: readonly string[];
  /** NodeClaims of the window's start that were gone or leaving at its end. */
  readonly nodesReplaced: number;
  readonly maxConcurrentDisruptions: number;
  /** New nodes of each round. */
  readonly newNodes: readonly (readonly NewNode[])[];
  /** Nodes that the autoscaler began to remove while a pod of the application ran there and was not being deleted. */
  readonly disruptedWithPods: readonly string[];
  readonly taken: readonly TakenNodeMeasurement[];
  /**
   * Nodes that the first round left without a pod of the application and of others, and when the autoscaler had removed
   * each.
   */
  readonly emptied: readonly EmptiedNode[];
  /** Nodes whose removal began after the disruption, in order. */
  readonly removed: readonly string[];
}
export interface NewNode {
  readonly name: string;
  readonly labels: NodeDigest['labels'];
  /** Whether a pod that the application got in that round runs on it: then the node came for what the scenario did. */
  readonly holdsNewPod: boolean;
}
export interface EmptiedNode {
  readonly node: string;
  /** Seconds from the disruption; null if it did not go in the window. */
  readonly goneSeconds: number | null;
}
/** Seconds from the scenario's removal of a node to what became of it; null for what did not happen in the window. */
export interface TakenNodeMeasurement {
  readonly node: string;
  readonly notReadySeconds: number | null;
  readonly goneSeconds: number | null;
}

/** The pool's nodes and claims in the window of a scenario. */
export function measurePool(evidence: Evidence, replaces: boolean): PoolMeasurement {
  const { history, window, rounds } = evidence;
  const staying = stayingUids(viewAt(history, window.to));
  const initialized = rounds.flatMap((round) => initializedClaims(evidence, round));
  const nodeReady = longestOf(initialized.map(({ ready, actedAt }) => secondsBetween(known(actedAt), ready)));
  return {
    nodeReplacement: replaces ? nodeReady : null,
    nodeReady,
    doubts: initialized.flatMap(({ node, ready: { doubt } }) => (doubt === undefined ? [] : [`${node}: ${doubt}`])),
    nodesReplaced: [...uids(viewAt(history, window.from))].filter((uid) => !staying.has(uid)).length,
    newNodes: rounds.map((round) => nodesThatCame(evidence, round)),
    ...disruptionsIn(evidence),
    taken: takenNodes(evidence),
    emptied: emptiedIn(evidence),
    removed: removedIn(evidence),
  };
}

function emptiedIn({ history, notes, rounds: [round], window }: Evidence): readonly EmptiedNode[] {
  if (round === undefined) return [];
  const { actedAt } = round;
  const after = history.changes.filter(({ instant }) => instant >= actedAt && instant <= window.to);
  return emptiedNodes({ history, notes }, round).map((node) => {
    const goneAt = claimGoneAt(after, node);
    return { node, goneSeconds: goneAt === undefined ? null : (goneAt - actedAt) / 1000 };
  });
}

function removedIn({ history, rounds: [round], window }: Evidence): readonly string[] {
  if (round === undefined) return [];
  return history.changes.flatMap(({ kind, change, digest, instant }) =>
    kind === 'NodeClaim' && change === 'deleted' && digest.node && instant >= round.actedAt && instant <= window.to
      ? [digest.node]
      : [],
  );
}

/** The claims of the pool that were being disrupted at that moment. */
export function disruptions(view: View): readonly ClaimDigest[] {
  return [...view.NodeClaim.values()].filter((claim) => isBeingDisrupted(claim, nodeOf(view, claim)));
}

const nodeOf = ({ Node }: View, { node }: ClaimDigest): NodeDigest | undefined =>
  node === undefined ? undefined : Node.get(node);

/** A claim that has only begun to leave does not stay: the autoscaler has chosen it. */
function stayingUids(view: View): ReadonlySet<string> {
  const staying = [...view.NodeClaim.values()].filter((claim) => !isLeaving(claim, nodeOf(view, claim)));
  return new Set(staying.map(({ uid }) => uid));
}

const uids = ({ NodeClaim }: View) => new Set([...NodeClaim.values()].map(({ uid }) => uid));

function claimsThatCame({ history }: Evidence, { openedAt, restAt }: Round): readonly ClaimDigest[] {
  const known = uids(viewAt(history, openedAt));
  return [...viewAt(history, restAt).NodeClaim.values()].filter(({ uid }) => !known.has(uid));
}

interface InitializedClaim {
  readonly node: string;
  readonly ready: Moment;
  readonly actedAt: number;
}

function initializedClaims(evidence: Evidence, round: Round): readonly InitializedClaim[] {
  const { history, clock } = evidence;
  return claimsThatCame(evidence, round).flatMap(({ uid, node = uid, initializedAt: timestamp }) => {
    if (timestamp === undefined) return [];
    const arrivedAt = arrival(history, 'NodeClaim', (claim) => claim.uid === uid && claim.initializedAt === timestamp);
    const ready = happened({ timestamp, arrivedAt, notBefore: round.actedAt, clock });
    return ready === undefined ? [] : [{ node, ready, actedAt: round.actedAt }];
  });
}

function nodesThatCame(evidence: Evidence, round: Round): readonly NewNode[] {
  const { Node, Pod } = viewAt(evidence.history, round.restAt);
  const known = podUids(viewAt(evidence.history, round.openedAt));
  const held = new Set([...Pod.values()].filter(({ uid }) => !known.has(uid)).map(({ node }) => node));
  return claimsThatCame(evidence, round).flatMap(({ node: name }) => {
    const labels = name === undefined ? undefined : Node.get(name)?.labels;
    return name === undefined || labels === undefined ? [] : [{ name, labels, holdsNewPod: held.has(name) }];
  });
}

const podUids = ({ Pod }: View): ReadonlySet<string> => new Set([...Pod.values()].map(({ uid }) => uid));

function disruptionsIn({
  history,
  window,
}: Evidence): Pick<PoolMeasurement, 'maxConcurrentDisruptions' | 'disruptedWithPods'> {
  const known = new Set<string>();
  const withPods = new Set<string>();
  let maxConcurrentDisruptions = 0;
  eachView(history, window.from, window.to, (view) => {
    const now = disruptions(view);
    maxConcurrentDisruptions = Math.max(maxConcurrentDisruptions, now.length);
    for (const { uid, node } of now) {
      if (!known.has(uid) && node !== undefined && holdsStayingPod(view, node)) withPods.add(node);
      known.add(uid);
    }
  });
  return { maxConcurrentDisruptions, disruptedWithPods: [...withPods] };
}

/** Whether a pod on the node runs and is not being deleted. Karpenter ignores pods that have finished, too. */
export function holdsStayingPod({ Pod }: View, node: string): boolean {
  return [...Pod.values()].some((pod) => pod.node === node && pod.deletingAt === undefined && pod.finished !== true);
}

function takenNodes({ history, taken, window }: Evidence): readonly TakenNodeMeasurement[] {
  return taken.map(({ node, at }) => {
    const changes = history.changes.filter(
      (change) => change.kind === 'Node' && change.name === node && change.instant >= at && change.instant <= window.to,
    );
    const secondsTo = (change: (typeof changes)[number] | undefined) =>
      change === undefined ? null : (change.instant - at) / 1000;
    return {
      node,
      notReadySeconds: secondsTo(changes.find(({ kind, digest }) => kind === 'Node' && !digest.ready)),
      goneSeconds: secondsTo(changes.find(({ change }) => change === 'deleted')),
    };
  });
}
