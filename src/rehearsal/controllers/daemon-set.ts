import type { DaemonSet, Node, Pod } from '../../cluster/resources.ts';
import type { PodSpec, Toleration } from '../../cluster/specs.ts';
import { keyOf, placeOf } from '../cache.ts';
import { suffix } from '../names.ts';
import { controlledBy, controllerOf, keysOfController } from '../owners.ts';
import { isFinished, isPodReady, isTerminating } from '../pods.ts';
import { isAskedFor } from '../scheduling/requirements.ts';
import { notReadyTaint, taintsOf, unreachableTaint, unschedulableTaint, untolerated } from '../scheduling/taints.ts';
import type { Site } from '../site.ts';
import { reconciler } from './reconciler.ts';

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
    const pods = podsOf(site, set);
    const nodes = [...site.cache.list('Node')].filter((node) => isFor(set, node));
    const occupied = new Set(pods.map(({ spec }) => spec.nodeName));
    for (const node of nodes)
      if (!occupied.has(node.metadata.name)) await site.cluster.create(podOf(set, node, site.random));
    const status = {
      desiredNumberScheduled: nodes.length,
      currentNumberScheduled: pods.length,
      numberReady: pods.filter(isPodReady).length,
    };
    await site.cluster.patch(
      'DaemonSet',
      placeOf(key),
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    );
    return undefined;
  },
});

/** A pod on its way out still has its place: its successor comes when it is gone. */
function podsOf(site: Site, { metadata }: DaemonSet): readonly Pod[] {
  return [...site.cache.ownedBy(metadata.uid)].filter(
    (object): object is Pod =>
      object.kind === 'Pod' &&
      controllerOf(object)?.uid === metadata.uid &&
      !(isFinished(object) && !isTerminating(object)),
  );
}

/** What every pod of a DaemonSet tolerates (AddOrUpdateDaemonPodTolerations). */
const tolerations: readonly Toleration[] = [
  { key: notReadyTaint, operator: 'Exists', effect: 'NoExecute' },
  { key: unreachableTaint, operator: 'Exists', effect: 'NoExecute' },
  { key: unschedulableTaint, operator: 'Exists', effect: 'NoSchedule' },
  { key: notReadyTaint, operator: 'Exists', effect: 'NoSchedule' },
  { key: unreachableTaint, operator: 'Exists', effect: 'NoSchedule' },
];

const tolerant = (spec: PodSpec): PodSpec => ({ ...spec, tolerations: [...(spec.tolerations ?? []), ...tolerations] });

/** Whether the set wants a pod on that node: it is asked for, and none of its taints keeps the pod off. */
export function isFor(set: DaemonSet, node: Node): boolean {
  const spec = tolerant(set.spec.template.spec);
  return isAskedFor(spec, node.metadata.labels ?? {}) && untolerated(spec, taintsOf(node)) === undefined;
}

function podOf(set: DaemonSet, node: Node, random: () => number): Pod {
  const { template } = set.spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name: `${set.metadata.name}-${suffix(random)}`,
      ...(set.metadata.namespace === undefined ? {} : { namespace: set.metadata.namespace }),
      ownerReferences: [controlledBy(set)],
    },
    spec: { ...tolerant(template.spec), nodeName: node.metadata.name },
  };
}
