import { condition, isFinished, isReady } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';

/**
 * `karpenter-6d5f9 (CrashLoopBackOff)`: the pod, with a reason if the API has one, and the scheduler's words where it
 * waits for a node.
 */
export function described(pod: Pod): string {
  const reasons = (pod.status?.containerStatuses ?? []).map(
    ({ state, lastState }) => state?.waiting?.reason ?? lastState?.terminated?.reason,
  );
  const reason = unscheduled(pod) ?? reasons.find((one) => one !== undefined) ?? condition(pod, 'Ready')?.reason;
  return reason === undefined ? pod.metadata.name : `${pod.metadata.name} (${reason})`;
}

function unscheduled(pod: Pod): string | undefined {
  const scheduled = condition(pod, 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  return [scheduled.reason, scheduled.message].filter((word) => word !== undefined && word !== '').join(': ');
}

/** How many of these pods are ready, and what keeps the first of the others from it; empty if all are. */
export function unreadyPods(pods: readonly Pod[]): string {
  const current = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && !isFinished(pod));
  const [first, ...more] = current.filter((pod) => !isReady(pod));
  if (first === undefined) return current.length === 0 ? 'it has no pod' : '';
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return `${current.length - 1 - more.length} of ${current.length} pods ready, not ready: ${described(first)}${others}`;
}
