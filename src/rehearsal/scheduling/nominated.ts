import type { Pod } from '../../cluster/resources.ts';
import { withPodAdded } from './node-info.ts';
import { priorityOf } from './preemption.ts';
import type { Snapshot } from './schedule.ts';

/** The nodes with the pods that room is being made for on them, as far as those are not less important than `pod` (addGeneralNominatedPods). */
export function withNominated(snapshot: Snapshot, pod: Pod, waiting: Iterable<Pod>): Snapshot {
  const nominated = [...waiting].filter(
    (one) =>
      one.status?.nominatedNodeName !== undefined &&
      one.metadata.uid !== pod.metadata.uid &&
      priorityOf(one) >= priorityOf(pod),
  );
  if (nominated.length === 0) return snapshot;
  const nodeInfo: Snapshot['nodeInfo'] = (name) => {
    const node = snapshot.nodeInfo(name);
    const there = nominated.filter(({ status }) => status?.nominatedNodeName === name);
    return node && there.reduce(withPodAdded, node);
  };
  return { ...snapshot, nodeInfo };
}
