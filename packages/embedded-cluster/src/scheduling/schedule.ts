import type { Pod } from '../kubernetes/resources.ts';
import { type NodeInfo, nodeObstacle } from './node-info.ts';
import type { Scores } from './node-scores.ts';
import { topologyObstacle } from './spread.ts';
import { totalScores } from './total-scores.ts';
import type { VolumeNeeds } from './volumes.ts';

/** kube-scheduler stops its search at this many feasible nodes (minFeasibleNodesToFind). */
const enoughFeasibleNodes = 100;

type Decision = { readonly node: NodeInfo } | { readonly message: string };

/** The nodes that a decision is made from; each one is looked up when it is needed. */
export interface Snapshot {
  readonly names: readonly string[];
  readonly nodeInfo: (name: string) => NodeInfo | undefined;
  /** Some pod on them has anti-affinity over domains of several nodes. */
  readonly isDomainRepelled?: boolean;
  /** What the claims of the pod that is to be placed ask of a node. */
  readonly volumes?: VolumeNeeds | undefined;
}

/**
 * The feasible node of the highest score; with `packs` the one with the least free CPU. Among equals the first from a
 * random node on. Or why no node is feasible, as kube-scheduler phrases it.
 */
export function schedule(pod: Pod, snapshot: Snapshot, random: () => number, packs = false): Decision {
  const { topologySpreadConstraints: constraints, affinity } = pod.spec;
  const hasPodAffinity = affinity?.podAntiAffinity !== undefined || affinity?.podAffinity !== undefined;
  const needsAll = constraints !== undefined || hasPodAffinity || snapshot.isDomainRepelled === true;
  const all = needsAll ? snapshot.names.flatMap((name) => snapshot.nodeInfo(name) ?? []) : undefined;
  if (snapshot.volumes?.refusal !== undefined)
    return { message: `0/${snapshot.names.length} nodes are available: ${snapshot.volumes.refusal}.` };
  const { feasible, reasons } = search(snapshot, random, (node) =>
    obstacle(pod, node, { all: all ?? [node], volumes: snapshot.volumes }),
  );
  const best = packs
    ? highest(
        feasible,
        feasible.map(({ free }) => -(free.cpu ?? 0)),
      )
    : bestOf(pod, feasible, snapshot);
  return best === undefined ? { message: messageOf(snapshot.names.length, reasons) } : { node: best };
}

/** From a random node on, until enough nodes are feasible. */
function search(
  { names, nodeInfo }: Snapshot,
  random: () => number,
  obstacleOf: (node: NodeInfo) => string | undefined,
) {
  const first = Math.floor(random() * names.length);
  const feasible: NodeInfo[] = [];
  const reasons: string[] = [];
  for (let step = 0; step < names.length && feasible.length < enoughFeasibleNodes; step += 1) {
    const node = nodeInfo(names[(first + step) % names.length] ?? '');
    const reason = node && obstacleOf(node);
    if (reason !== undefined) reasons.push(reason);
    else if (node !== undefined) feasible.push(node);
  }
  return { feasible, reasons };
}

interface Around extends Pick<Snapshot, 'volumes'> {
  readonly all: readonly NodeInfo[];
}

/** By the first of kube-scheduler's filter plugins that refuses the node. */
const obstacle = (pod: Pod, node: NodeInfo, { all, volumes }: Around): string | undefined =>
  nodeObstacle(pod.spec, node) ?? volumes?.obstacleAt(node.labels, node.name) ?? topologyObstacle(pod, node, all);

/** One feasible node needs no score (schedule_one.go, schedulePod). */
function bestOf(pod: Pod, feasible: readonly NodeInfo[], { names, nodeInfo }: Snapshot): NodeInfo | undefined {
  if (feasible.length < 2) return feasible[0];
  return highest(
    feasible,
    totalScores(
      pod,
      feasible,
      names.flatMap((name) => nodeInfo(name) ?? []),
    ),
  );
}

/** The first of the highest. */
const highest = (nodes: readonly NodeInfo[], scores: Scores): NodeInfo | undefined =>
  nodes[scores.indexOf(Math.max(...scores))];

function messageOf(nodes: number, reasons: readonly string[]): string {
  const count = (reason: string) => reasons.filter((other) => other === reason).length;
  const each = [...new Set(reasons)].map((reason) => `${count(reason)} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${each.join(', ')}.`;
}
