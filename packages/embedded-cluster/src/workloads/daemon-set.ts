import type { DaemonSet, Node, Pod } from '../kubernetes/resources.ts';
import type { PodSpec, Toleration } from '../kubernetes/specs.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { controllerOf, keysOfController } from '../objects/owners.ts';
import { isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { matchesNodeSelection } from '../scheduling/requirements.ts';
import { notReadyTaint, taintsOf, unreachableTaint, unschedulableTaint, untolerated } from '../scheduling/taints.ts';
import type { Site } from '../setup/site.ts';
import { isOfHash, isPodAvailable, type PodsByNode, revisionLabel, updateStep } from './daemon-set-update.ts';
import { hashOf, podOf } from './from-template.ts';
import { availableInstant } from './stateful-set-step.ts';

/**
 * DaemonSet → one pod a node (pkg/controller/daemon). It sets `nodeName` itself, where the real one uses node affinity.
 */
export const daemonSet = reconciler({
  name: 'daemon-set',
  watches: {
    DaemonSet: (object) => [keyOf(object)],
    Pod: keysOfController('DaemonSet'),
    Node: (_node, cache) => [...cache.list('DaemonSet')].map(keyOf),
  },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const set = site.cache.get('DaemonSet', key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const hash = hashOf(set);
    const pods = podsOf(site, set);
    const nodes = [...site.cache.list('Node')].filter((node) => shouldRunOn(set, node));
    const now = site.now();
    const byNode = onEach(nodes, pods);
    const { deletions, surges } = updateStep(set, byNode, hash, now);
    const bare = nodes.filter(({ metadata }) => byNode.get(metadata.name)?.length === 0);
    for (const node of [...bare, ...nodes.filter(({ metadata }) => surges.includes(metadata.name))])
      await site.cluster.create(podFor(set, node, hash, site.random));
    const misplaced = pods.filter((pod) => isMisplaced(site, set, pod));
    for (const pod of [...misplaced, ...deletions])
      if (!isTerminating(pod)) await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '' });
    const value = { status: statusOf(set, { pods, byNode, hash }, now) };
    await site.cluster.patch('DaemonSet', placeOf(key), { type: 'merge', value }, { subresource: 'status' });
    const { minReadySeconds = 0 } = set.spec;
    const later = pods.filter(isPodReady).map((pod) => availableInstant(pod, minReadySeconds, now));
    const next = Math.min(...later.filter((instant) => instant > now));
    return Number.isFinite(next) ? (next - now) / 1000 : undefined;
  },
});

/** Each of the nodes with its pods, the oldest first. */
function onEach(nodes: readonly Node[], pods: readonly Pod[]): PodsByNode {
  const byNode = new Map(nodes.map(({ metadata }) => [metadata.name, [] as Pod[]]));
  for (const pod of pods.toSorted(byCreation)) byNode.get(pod.spec.nodeName ?? '')?.push(pod);
  return byNode;
}

function byCreation(a: Pod, b: Pod): number {
  const [one, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return one < other ? -1 : Number(one > other);
}

/** A terminating pod still occupies its node: its successor is created when it is gone. */
function podsOf(site: Site, { metadata }: DaemonSet): readonly Pod[] {
  const pods: Pod[] = [];
  for (const object of site.cache.ownedBy(metadata.uid)) {
    if (object.kind !== 'Pod' || controllerOf(object)?.uid !== metadata.uid) continue;
    if (isTerminating(object) || !isFinished(object)) pods.push(object);
  }
  return pods;
}

/** Whether the pod's node no longer matches its node selection, or has a NoExecute taint that it does not tolerate. */
function isMisplaced(site: Site, set: DaemonSet, pod: Pod): boolean {
  const node = site.cache.get('Node', pod.spec.nodeName ?? '');
  if (node === undefined || shouldRunOn(set, node)) return false;
  const evicting = taintsOf(node).filter(({ effect }) => effect === 'NoExecute');
  return !selects(set, node) || untolerated(tolerant(set.spec.template.spec), evicting) !== undefined;
}

interface Placed {
  readonly pods: readonly Pod[];
  readonly byNode: PodsByNode;
  readonly hash: string;
}

/** A node counts by the oldest of its pods (daemon_controller.go, updateDaemonSetStatus). */
function statusOf(set: DaemonSet, { pods, byNode, hash }: Placed, at: number) {
  const scheduled = [...byNode.values()].flatMap(([oldest]) => oldest ?? []);
  const misplaced = new Set(pods.map(({ spec }) => spec.nodeName ?? '').filter((name) => !byNode.has(name)));
  const numberAvailable = scheduled.filter((pod) => isPodAvailable(set, pod, at)).length;
  return {
    observedGeneration: set.metadata.generation ?? 1,
    desiredNumberScheduled: byNode.size,
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: misplaced.size,
    updatedNumberScheduled: scheduled.filter((pod) => isOfHash(pod, hash)).length,
    numberReady: scheduled.filter(isPodReady).length,
    numberAvailable,
    numberUnavailable: byNode.size - numberAvailable,
  };
}

/** The tolerations of every DaemonSet's pods (daemonset_util.go, AddOrUpdateDaemonPodTolerations). */
const tolerations: readonly Toleration[] = [
  { key: notReadyTaint, operator: 'Exists', effect: 'NoExecute' },
  { key: unreachableTaint, operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: unschedulableTaint, operator: 'Exists', effect: 'NoSchedule' },
];
/** With hostNetwork this one too. */
const networkUnavailable = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
} as const;

const tolerantSpecs = new WeakMap<PodSpec, PodSpec>();

/** The spec with those tolerations, cached for each version of a template. */
function tolerant(spec: PodSpec): PodSpec {
  const known = tolerantSpecs.get(spec);
  if (known !== undefined) return known;
  const own = spec.tolerations ?? [];
  const made = { ...spec, tolerations: [...own, ...tolerations, ...(spec.hostNetwork ? [networkUnavailable] : [])] };
  tolerantSpecs.set(spec, made);
  return made;
}

const selects = ({ spec: { template } }: DaemonSet, { metadata }: Node): boolean =>
  matchesNodeSelection(template.spec, metadata.labels ?? {});

const decisions = new WeakMap<PodSpec, WeakMap<Node, boolean>>();

/**
 * Whether the set should have a pod on that node: its node selection matches and its pods tolerate the taints. Cached
 * for each version of template and node, because every change of a pod checks all nodes.
 */
export function shouldRunOn(set: DaemonSet, node: Node): boolean {
  const { spec } = set.spec.template;
  const known = decisions.get(spec) ?? new WeakMap<Node, boolean>();
  decisions.set(spec, known);
  const answer = known.get(node);
  if (answer !== undefined) return answer;
  const shouldRun = selects(set, node) && untolerated(tolerant(spec), taintsOf(node)) === undefined;
  known.set(node, shouldRun);
  return shouldRun;
}

function podFor(set: DaemonSet, node: Node, hash: string, random: () => number): Pod {
  const { metadata, spec, ...rest } = podOf(set, random);
  return {
    ...rest,
    metadata: { ...metadata, labels: { ...metadata.labels, [revisionLabel]: hash } },
    spec: { ...tolerant(spec), nodeName: node.metadata.name },
  };
}
