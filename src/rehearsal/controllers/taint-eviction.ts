import type { Node, Pod } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../cache.ts';
import { isTerminating } from '../pods.ts';
import { tolerates } from '../scheduling/taints.ts';
import { instantOf } from '../timestamps.ts';
import { reconciler } from './reconciler.ts';

/** Deletes the pods that a NoExecute taint drives away, when their toleration is over (pkg/controller/tainteviction). */
export const taintEviction = reconciler({
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
    const dueAt = evictionAt(pod, node);
    if (dueAt === undefined) return undefined;
    if (dueAt > site.now()) return (dueAt - site.now()) / 1000;
    await site.cluster.delete('Pod', placeOf(key), { uid: pod.metadata.uid ?? '' });
    return undefined;
  },
});

/** When the node's taints drive the pod away, epoch milliseconds; undefined when they never do. */
export function evictionAt(pod: Pod, node: Node): number | undefined {
  const instants = (node.spec?.taints ?? [])
    .filter(({ effect }) => effect === 'NoExecute')
    .map((taint) => {
      const tolerations = (pod.spec.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
      const seconds = tolerations.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY);
      const since = taint.timeAdded === undefined ? 0 : instantOf(taint.timeAdded);
      return since + 1000 * (tolerations.length === 0 ? 0 : Math.min(...seconds));
    });
  const first = Math.min(...instants);
  return Number.isFinite(first) ? first : undefined;
}
