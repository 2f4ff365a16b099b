import type { Pod } from '../../cluster/resources.ts';
import { controllerOf } from '../objects/owners.ts';
import { type NodeInfo, nodeObstacle, podsByController } from './node-info.ts';
import { spreadScore, topologyObstacle } from './spread.ts';

/** kube-scheduler stops its search at this many feasible nodes (minFeasibleNodesToFind). */
const enoughFeasibleNodes = 100;

type Decision = { readonly node: NodeInfo } | { readonly message: string };

/** The nodes that a decision is made from; each one is looked up when it is needed. */
export interface Snapshot {
  readonly names: readonly string[];
  readonly nodeInfo: (name: string) => NodeInfo | undefined;
  /** Some pod on them has anti-affinity over domains of several nodes. */
  readonly isDomainRepelled?: boolean;
}

/**
 * The node with the fewest pods of the same controller, then the most free CPU; with `packs` the one with the least. Among
 * equals the first from a random node on. Or why no node is feasible, as kube-scheduler phrases it.
 */
export function schedule(pod: Pod, snapshot: Snapshot, random: () => number, packs = false): Decision {
  const { topologySpreadConstraints: constraints, affinity } = pod.spec;
  const hasPodAffinity = affinity?.podAntiAffinity !== undefined || affinity?.podAffinity !== undefined;
  const needsAll = constraints !== undefined || hasPodAffinity || snapshot.isDomainRepelled === true;
  const all = needsAll ? snapshot.names.flatMap((name) => snapshot.nodeInfo(name) ?? []) : undefined;
  const { feasible, reasons } = search(snapshot, random, (node) => obstacle(pod, node, all ?? [node]));
  const best = cheapest(feasible, packs ? freeCpu : costFor(pod, all));
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

const obstacle = (pod: Pod, node: NodeInfo, all: readonly NodeInfo[]): string | undefined =>
  nodeObstacle(pod.spec, node) ?? topologyObstacle(pod, node, all);

/** The first of the cheapest. */
function cheapest<T>(items: readonly T[], costOf: (item: T) => number): T | undefined {
  let [best, least] = [items[0], Number.POSITIVE_INFINITY];
  for (const item of items) {
    const cost = costOf(item);
    if (cost < least) [best, least] = [item, cost];
  }
  return best;
}

/** More than any node has CPUs: a pod of the same controller outweighs all free CPU. */
const costPerSibling = 1000;

function costFor(pod: Pod, all: readonly NodeInfo[] | undefined): (node: NodeInfo) => number {
  const owner = controllerOf(pod)?.uid ?? '';
  const isSpread = pod.spec.topologySpreadConstraints !== undefined;
  return (node) => {
    const skew = isSpread && all !== undefined ? spreadScore(pod, node, all) : 0;
    return costPerSibling * ((podsByController(node).get(owner) ?? 0) + skew) - freeCpu(node);
  };
}

const freeCpu = ({ free }: NodeInfo): number => free.cpu ?? 0;

function messageOf(nodes: number, reasons: readonly string[]): string {
  const count = (reason: string) => reasons.filter((other) => other === reason).length;
  const each = [...new Set(reasons)].map((reason) => `${count(reason)} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${each.join(', ')}.`;
}
