import type { Node, Pod, Taint } from '../kubernetes/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { isTerminating } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { tolerates } from '../scheduling/taints.ts';
import type { Controller } from '../setup/site.ts';
import { markDisrupted } from './disruption-target.ts';

/** Deletes pods with a NoExecute taint on their node when their toleration is over (pkg/controller/tainteviction). */
export function taintEviction(): Controller {
  /** When each pod was first found on a node with each taint, epoch milliseconds: for taints without `timeAdded`. */
  const foundAt = new Map<string, number>();
  return reconciler({
    name: 'taint-eviction',
    watches: {
      Node: (node, cache) =>
        node.spec?.taints?.some(({ effect }) => effect === 'NoExecute')
          ? [...cache.podsOn(node.metadata.name)].map(keyOf)
          : [],
      Pod: (pod) => (pod.spec.nodeName === undefined ? [] : [keyOf(pod)]),
    },
    reaction: 'controllerReaction',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      const node = site.cache.get('Node', pod?.spec.nodeName ?? '');
      if (pod === undefined || node === undefined || isTerminating(pod)) return undefined;
      const dueAt = evictionAt(pod, node, timesFound(foundAt, pod, node, site.now()));
      if (dueAt === undefined) return undefined;
      if (dueAt > site.now()) return (dueAt - site.now()) / 1000;
      const message = 'Taint manager: deleting due to NoExecute taint';
      await markDisrupted(site, pod, { reason: 'DeletionByTaintManager', message });
      await site.cluster.delete('Pod', placeOf(key), { uid: pod.metadata.uid ?? '' });
      return undefined;
    },
  });
}

const noExecuteTaints = ({ spec }: Node): readonly Taint[] =>
  (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** Updates the times of this pod's taints; returns the lookup by taint. */
function timesFound(foundAt: Map<string, number>, pod: Pod, node: Node, at: number): (taint: Taint) => number {
  const prefix = `${pod.metadata.uid} `;
  const nameOf = ({ key, value = '' }: Taint) => `${prefix}${key}=${value}`;
  const now = new Set(noExecuteTaints(node).map(nameOf));
  for (const name of foundAt.keys()) if (name.startsWith(prefix) && !now.has(name)) foundAt.delete(name);
  for (const name of now) foundAt.set(name, foundAt.get(name) ?? at);
  return (taint) => foundAt.get(nameOf(taint)) ?? at;
}

/** When the node's NoExecute taints evict the pod, epoch milliseconds; undefined if never. */
export function evictionAt(pod: Pod, node: Node, foundAt: (taint: Taint) => number): number | undefined {
  const instants = noExecuteTaints(node).map((taint) => {
    const tolerations = (pod.spec.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
    const seconds = tolerations.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY);
    const since = taint.timeAdded === undefined ? foundAt(taint) : instantOf(taint.timeAdded);
    return since + 1000 * (tolerations.length === 0 ? 0 : Math.min(...seconds));
  });
  const first = Math.min(...instants);
  return Number.isFinite(first) ? first : undefined;
}
