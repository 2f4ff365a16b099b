import { condition } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';

/** What the API says of a pod that does not run: no node for it, no image, or an end. */
export function whyNotRunning(pod: Pod): string {
  const scheduled = condition(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return scheduled.message ?? scheduled.reason ?? 'it has no node';
  const [container] = pod.status?.containerStatuses ?? [];
  const { waiting, terminated } = container?.state ?? {};
  if (terminated !== undefined) return `its container ended with exit code ${terminated.exitCode}`;
  if (waiting?.reason !== undefined) return [waiting.reason, waiting.message].filter(Boolean).join(': ');
  return `it was ${pod.status?.phase ?? 'new'}`;
}
