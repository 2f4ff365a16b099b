import type { Pod } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { conditionOf, withConditions } from '../objects/conditions.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { type NodeInfo, nodeInfoOf, nodeObstacle, podsByController } from '../scheduling/node-info.ts';
import { spreadScore, topologyObstacle } from '../scheduling/spread.ts';
import type { Controller, Site } from '../setup/site.ts';
import { reconciler } from './reconciler.ts';

/**
 * Pod → node (kube-scheduler): taints, node selection, resources, topology spread, inter-pod affinity. `packs`: it scores nodes
 * as MostAllocated does, and replicas without a constraint are not spread.
 */
export function scheduler({ packs }: { readonly packs: boolean }): Controller {
  /** When each unschedulable pod may be tried again, by key, epoch milliseconds. */
  const retryAt = new Map<string, number>();
  /** Some pod has anti-affinity over domains of several nodes: from then on a decision needs all nodes. */
  let isDomainRepelled = false;
  return reconciler({
    name: 'scheduler',
    watches: {
      Pod: (pod, cache) => {
        isDomainRepelled ||= repelsDomain(pod);
        return mayMakeRoom(pod) ? [...cache.podsOn('')].map(keyOf) : isWaiting(pod) ? [keyOf(pod)] : [];
      },
      Node: (_node, cache) => [...cache.podsOn('')].map(keyOf),
    },
    reaction: 'scheduling',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      if (pod === undefined || !isWaiting(pod)) return undefined;
      const backOffSeconds = ((retryAt.get(key) ?? 0) - site.now()) / 1000;
      if (backOffSeconds > 0) return backOffSeconds;
      const names = [...site.cache.list('Node')].map(({ metadata }) => metadata.name);
      const nodeInfo = (name: string) => site.cache.ofNode(name, nodeInfoOf);
      const decision = schedule(pod, { names, nodeInfo, isDomainRepelled }, site.random, packs);
      retryAt.delete(key);
      if ('node' in decision) await bind(site, pod, decision.node);
      else {
        retryAt.set(key, site.now() + 1000 * site.delay('schedulingRetry'));
        await markUnschedulable(site, pod, decision.message);
      }
      return undefined;
    },
  });
}

/** Pods of another scheduler, and pods with scheduling gates, are left alone. */
function isWaiting(pod: Pod): boolean {
  const { nodeName, schedulerName = ownName, schedulingGates = [] } = pod.spec;
  if (nodeName !== undefined || isTerminating(pod) || isFinished(pod)) return false;
  return schedulerName === ownName && schedulingGates.length === 0;
}

const ownName = 'default-scheduler';

/** Whether it has anti-affinity over domains of more than one node. */
function repelsDomain({ spec }: Pod): boolean {
  const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some(({ topologyKey }) => topologyKey !== 'kubernetes.io/hostname');
}

const mayMakeRoom = (pod: Pod): boolean => pod.spec.nodeName !== undefined && (isTerminating(pod) || isFinished(pod));

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

/** The API server sets the condition PodScheduled with the binding. */
async function bind(site: Site, pod: Pod, node: NodeInfo): Promise<void> {
  await site.cluster.patch('Pod', placeOf(keyOf(pod)), { type: 'merge', value: { spec: { nodeName: node.name } } });
}

async function markUnschedulable(site: Site, pod: Pod, message: string): Promise<void> {
  if (conditionOf(pod, 'PodScheduled')?.message === message) return;
  const conditions = withConditions(
    pod.status?.conditions,
    [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    site.now(),
  );
  await site.cluster.patch(
    'Pod',
    placeOf(keyOf(pod)),
    { type: 'merge', value: { status: { phase: 'Pending', conditions } } },
    { subresource: 'status' },
  );
}
