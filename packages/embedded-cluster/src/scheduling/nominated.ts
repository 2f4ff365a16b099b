import type { Pod } from '../kubernetes/resources.ts';
import { withPodAdded } from './node-info.ts';
import { priorityOf } from './preemption.ts';
import type { Snapshot } from './schedule.ts';

/**
 * The nodes with the pods that room is being made for on them, as far as those are not less important than `pod`
 * (addGeneralNominatedPods).
 */
export function withNominated(snapshot: Snapshot, pod: Pod, waiting: Iterable<Pod>): Snapshot {
  const nominated = [...waiting].filter(
    (one) =>
      one.status?.nominatedNodeName !== undefined &&
      one.metadata.uid !== pod.metadata.uid &&
      priorityOf(one) >= priorityOf(pod),
  );
  return withPods(snapshot, nominated, ({ status }) => status?.nominatedNodeName);
}

/** The nodes with more pods on them than those that are bound to them. */
export function withPods(
  snapshot: Snapshot,
  pods: readonly Pod[],
  nodeNameOf: (pod: Pod) => string | undefined,
): Snapshot {
  if (pods.length === 0) return snapshot;
  const nodeInfo: Snapshot['nodeInfo'] = (name) => {
    const node = snapshot.nodeInfo(name);
    const there = pods.filter((pod) => nodeNameOf(pod) === name);
    return node && there.reduce(withPodAdded, node);
  };
  return { ...snapshot, nodeInfo };
}
