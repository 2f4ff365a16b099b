import type { DaemonSet, Node, Pod } from '../../cluster/resources.ts';
import type { PodSpec, Toleration } from '../../cluster/specs.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { templateHash } from '../objects/names.ts';
import { controllerOf, keysOfController } from '../objects/owners.ts';
import { isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { isAskedFor } from '../scheduling/requirements.ts';
import { notReadyTaint, taintsOf, unreachableTaint, unschedulableTaint, untolerated } from '../scheduling/taints.ts';
import type { Site } from '../setup/site.ts';
import { podOf } from './from-template.ts';
import { reconciler } from './reconciler.ts';
import { portion } from './rollout.ts';

/** DaemonSet → one pod a node (apps/v1, pkg/controller/daemon). It binds them itself; the real one asks for that very node. */
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
    const nodes = [...site.cache.list('Node')].filter((node) => isFor(set, node));
    const occupied = new Set(pods.map(({ spec }) => spec.nodeName));
    for (const node of nodes)
      if (!occupied.has(node.metadata.name)) await site.cluster.create(podFor(set, node, hash, site.random));
    const away = pods.filter((pod) => isSentAway(site, set, pod));
    for (const pod of [...away, ...outdated(set, pods, nodes, hash)])
      if (!isTerminating(pod)) await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '' });
    await site.cluster.patch(
      'DaemonSet',
      placeOf(key),
      { type: 'merge', value: { status: statusOf(set, pods, nodes, hash) } },
      { subresource: 'status' },
    );
    return undefined;
  },
});

const revisionLabel = 'controller-revision-hash';

const hashes = new WeakMap<object, string>();

function hashOf({ spec: { template } }: DaemonSet): string {
  const known = hashes.get(template) ?? templateHash(JSON.stringify(template));
  hashes.set(template, known);
  return known;
}

/** A pod on its way out still has its place: its successor comes when it is gone. */
function podsOf(site: Site, { metadata }: DaemonSet): readonly Pod[] {
  const pods: Pod[] = [];
  for (const object of site.cache.ownedBy(metadata.uid)) {
    if (object.kind !== 'Pod' || controllerOf(object)?.uid !== metadata.uid) continue;
    if (isTerminating(object) || !isFinished(object)) pods.push(object);
  }
  return pods;
}

/** A pod leaves a node that it does not ask for any more, or whose NoExecute taint it does not tolerate. */
function isSentAway(site: Site, set: DaemonSet, pod: Pod): boolean {
  const node = site.cache.get('Node', pod.spec.nodeName ?? '');
  if (node === undefined || isFor(set, node)) return false;
  const driven = taintsOf(node).filter(({ effect }) => effect === 'NoExecute');
  return !asksFor(set, node) || untolerated(tolerant(set.spec.template.spec), driven) !== undefined;
}

/** The pods of an older template that go now: those that serve nobody, and as many others as may be unavailable (update.go). */
function outdated(set: DaemonSet, pods: readonly Pod[], nodes: readonly Node[], hash: string): readonly Pod[] {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return [];
  const old = pods.filter((pod) => !isTerminating(pod) && pod.metadata.labels?.[revisionLabel] !== hash);
  if (old.length === 0) return [];
  const serving = pods.filter((pod) => isPodReady(pod) && !isTerminating(pod));
  const most = portion(rollingUpdate?.maxUnavailable ?? 1, nodes.length, Math.ceil);
  const room = Math.max(0, most - (nodes.length - serving.length));
  return [...old.filter((pod) => !isPodReady(pod)), ...old.filter(isPodReady).slice(0, room)];
}

function statusOf({ metadata }: DaemonSet, pods: readonly Pod[], nodes: readonly Node[], hash: string) {
  const wanted = new Set(nodes.map((node) => node.metadata.name));
  const there = pods.filter(({ spec }) => wanted.has(spec.nodeName ?? ''));
  const numberReady = there.filter(isPodReady).length;
  return {
    observedGeneration: metadata.generation ?? 1,
    desiredNumberScheduled: nodes.length,
    currentNumberScheduled: there.length,
    numberMisscheduled: pods.length - there.length,
    updatedNumberScheduled: there.filter((pod) => pod.metadata.labels?.[revisionLabel] === hash).length,
    numberReady,
    numberAvailable: numberReady,
    numberUnavailable: nodes.length - numberReady,
  };
}

/** What every pod of a DaemonSet tolerates (AddOrUpdateDaemonPodTolerations). */
const tolerations: readonly Toleration[] = [
  { key: notReadyTaint, operator: 'Exists', effect: 'NoExecute' },
  { key: unreachableTaint, operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: unschedulableTaint, operator: 'Exists', effect: 'NoSchedule' },
];
const ofHostNetwork = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
} as const;

const tolerantSpecs = new WeakMap<PodSpec, PodSpec>();

/** Made once for each version of a template. */
function tolerant(spec: PodSpec): PodSpec {
  const known = tolerantSpecs.get(spec);
  if (known !== undefined) return known;
  const own = spec.tolerations ?? [];
  const made = { ...spec, tolerations: [...own, ...tolerations, ...(spec.hostNetwork ? [ofHostNetwork] : [])] };
  tolerantSpecs.set(spec, made);
  return made;
}

const asksFor = ({ spec: { template } }: DaemonSet, { metadata }: Node): boolean =>
  isAskedFor(template.spec, metadata.labels ?? {});

const answers = new WeakMap<PodSpec, WeakMap<Node, boolean>>();

/**
 * Whether the set wants a pod on that node: it is asked for, and none of its taints keeps the pod off. Worked out once for
 * each version of a template and of a node: every change of a pod asks about all nodes.
 */
export function isFor(set: DaemonSet, node: Node): boolean {
  const { spec } = set.spec.template;
  const known = answers.get(spec) ?? new WeakMap<Node, boolean>();
  answers.set(spec, known);
  const answer = known.get(node);
  if (answer !== undefined) return answer;
  const isWanted = asksFor(set, node) && untolerated(tolerant(spec), taintsOf(node)) === undefined;
  known.set(node, isWanted);
  return isWanted;
}

function podFor(set: DaemonSet, node: Node, hash: string, random: () => number): Pod {
  const { metadata, spec, ...rest } = podOf(set, random);
  return {
    ...rest,
    metadata: { ...metadata, labels: { ...metadata.labels, [revisionLabel]: hash } },
    spec: { ...tolerant(spec), nodeName: node.metadata.name },
  };
}
