import { type Kinds, type NodeInfo, nodeObstacle, withPodAdded } from '@holdfast/embedded-cluster';
import { keyOf } from '../copy/copy.ts';
import { type Facts, isReady } from './facts.ts';
import { isOfNode } from './workloads-of.ts';

type Pod = Kinds['Pod'];

/** The workloads with pods on a node: those that a drain of it surely leaves up, and those that have to be tried. */
export interface Triage {
  readonly safe: readonly string[];
  readonly toTry: readonly string[];
}

/**
 * A workload is safe where nothing about a drain of the node is left to chance: one of its ready pods runs elsewhere,
 * its budgets allow all evictions at once, its controller makes new pods, and other nodes have room for all pods of the
 * node, by rules that depend on no other pod. If there is no such room every workload is tried.
 */
export function triage(facts: Facts, node: string): Triage {
  const pods = (facts.onNode.get(node) ?? []).filter((pod) => !isOfNode(pod));
  const byWorkload = Map.groupBy(pods, facts.idOfPod);
  const ids = [...byWorkload.keys()];
  if (!hasRoom(facts, node, pods)) return { safe: [], toTry: ids };
  const isSafe = (id: string) => isLeftUp(facts, node, id, byWorkload.get(id) ?? []);
  return { safe: ids.filter(isSafe), toTry: ids.filter((id) => !isSafe(id)) };
}

const rolling = /^(Deployment|ReplicaSet|StatefulSet)\//;

function isLeftUp(facts: Facts, node: string, id: string, pods: readonly Pod[]): boolean {
  const elsewhere = (facts.ofWorkload.get(id) ?? []).filter(({ spec }) => spec.nodeName !== node);
  return rolling.test(id) && elsewhere.some(isReady) && pods.every(dependsOnNoOther) && mayAllGo(facts, pods, node);
}

/** Whether each budget of the pods allows that all pods of the node that it selects go at once. */
function mayAllGo(facts: Facts, pods: readonly Pod[], node: string): boolean {
  return pods.every((pod) => {
    const [budget, ...others] = facts.budgetsOf(pod);
    if (budget === undefined) return true;
    const allowed = budget.status?.disruptionsAllowed ?? 0;
    const name = keyOf(budget);
    const selected = (facts.ofBudget.get(name) ?? []).filter(({ spec }) => spec.nodeName === node);
    return others.length === 0 && selected.length <= allowed;
  });
}

/** Whether where the pod fits follows from the node alone. */
function dependsOnNoOther({ spec }: Pod): boolean {
  const { affinity, topologySpreadConstraints = [], volumes = [] } = spec;
  const isSpread = topologySpreadConstraints.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  const hasVolume = volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
  const isPaired = affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined;
  return !isSpread && !hasVolume && !isPaired && (spec.schedulingGates ?? []).length === 0;
}

/** Whether the other nodes take all these pods, one after the other, each at the first node that takes it. */
function hasRoom({ nodes }: Facts, without: string, pods: readonly Pod[]): boolean {
  const others = new Map(nodes.map((node) => [node.name, node] as const));
  others.delete(without);
  return pods.every(({ metadata, spec: { nodeName: _, ...spec } }) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec } as Pod;
    const place = firstFor(pod, others.values());
    if (place !== undefined) others.set(place.name, withPodAdded(place, pod));
    return place !== undefined;
  });
}

function firstFor({ spec }: Pod, nodes: Iterable<NodeInfo>): NodeInfo | undefined {
  for (const node of nodes) if (nodeObstacle(spec, node) === undefined) return node;
  return undefined;
}
