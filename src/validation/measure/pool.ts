import type { ClaimDigest, NodeDigest } from '../record/digest.ts';
import { eachView, isBeingDisrupted, isLeaving, type View, viewAt } from '../record/history.ts';
import type { Round } from '../record/records.ts';
import type { Evidence } from './evidence.ts';
import { longest, secondsSince } from './since.ts';

export interface PoolMeasurement {
  readonly nodeReplacementSeconds: number | null;
  readonly nodeReadySeconds: number | null;
  /** NodeClaims of the window's start that were gone or leaving at its end. */
  readonly nodesReplaced: number;
  readonly maxConcurrentDisruptions: number;
  /** New nodes of each round. */
  readonly newNodes: readonly (readonly NewNode[])[];
  /** Nodes that the autoscaler began to remove while a pod of the application ran there and was not being deleted. */
  readonly disruptedWithPods: readonly string[];
  readonly taken: readonly TakenNodeMeasurement[];
}
export interface NewNode {
  readonly name: string;
  readonly labels: NodeDigest['labels'];
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
  const nodeReadySeconds = longest(
    rounds.flatMap((round) =>
      claimsThatCame(evidence, round).map((claim) => secondsSince(round.actedAt, claim.initializedAt)),
    ),
  );
  return {
    nodeReplacementSeconds: replaces ? nodeReadySeconds : null,
    nodeReadySeconds,
    nodesReplaced: [...uids(viewAt(history, window.from))].filter((uid) => !staying.has(uid)).length,
    newNodes: rounds.map((round) => nodesThatCame(evidence, round)),
    ...disruptionsIn(evidence),
    taken: takenNodes(evidence),
  };
}

/** How many nodes of the pool were being disrupted at that moment. */
export const disruptions = (view: View): number => disrupted(view).length;

function disrupted(view: View): readonly ClaimDigest[] {
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

function nodesThatCame(evidence: Evidence, round: Round): readonly NewNode[] {
  const { Node } = viewAt(evidence.history, round.restAt);
  return claimsThatCame(evidence, round).flatMap(({ node: name }) => {
    const labels = name === undefined ? undefined : Node.get(name)?.labels;
    return name === undefined || labels === undefined ? [] : [{ name, labels }];
  });
}

function disruptionsIn({
  history,
  window,
}: Evidence): Pick<PoolMeasurement, 'maxConcurrentDisruptions' | 'disruptedWithPods'> {
  const known = new Set<string>();
  const withPods = new Set<string>();
  let maxConcurrentDisruptions = 0;
  eachView(history, window.from, window.to, (view) => {
    const now = disrupted(view);
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
