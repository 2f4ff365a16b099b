import type { Node, Pod, Taint } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { isTerminating } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';
import { tolerates } from '../scheduling/taints.ts';
import type { Controller } from '../setup/site.ts';
import { reconciler } from './reconciler.ts';

/** Deletes the pods that a NoExecute taint drives away, when their toleration is over (pkg/controller/tainteviction). */
export function taintEviction(): Controller {
  /** Since when each pod has been on a node with that taint; only for taints that do not say when they came. */
  const seen = new Map<string, number>();
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
      const dueAt = evictionAt(pod, node, firstSeen(seen, pod, node, site.now()));
      if (dueAt === undefined) return undefined;
      if (dueAt > site.now()) return (dueAt - site.now()) / 1000;
      await site.cluster.delete('Pod', placeOf(key), { uid: pod.metadata.uid ?? '' });
      return undefined;
    },
  });
}

const driving = ({ spec }: Node): readonly Taint[] =>
  (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** Notes what of this pod's taints is new, and forgets what is gone. */
function firstSeen(seen: Map<string, number>, pod: Pod, node: Node, at: number): (taint: Taint) => number {
  const prefix = `${pod.metadata.uid} `;
  const nameOf = ({ key, value = '' }: Taint) => `${prefix}${key}=${value}`;
  const now = new Set(driving(node).map(nameOf));
  for (const name of seen.keys()) if (name.startsWith(prefix) && !now.has(name)) seen.delete(name);
  for (const name of now) seen.set(name, seen.get(name) ?? at);
  return (taint) => seen.get(nameOf(taint)) ?? at;
}

/** When the node's taints drive the pod away, epoch milliseconds; undefined when they never do. */
export function evictionAt(pod: Pod, node: Node, seenAt: (taint: Taint) => number): number | undefined {
  const instants = driving(node).map((taint) => {
    const tolerations = (pod.spec.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
    const seconds = tolerations.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY);
    const since = taint.timeAdded === undefined ? seenAt(taint) : instantOf(taint.timeAdded);
    return since + 1000 * (tolerations.length === 0 ? 0 : Math.min(...seconds));
  });
  const first = Math.min(...instants);
  return Number.isFinite(first) ? first : undefined;
}
