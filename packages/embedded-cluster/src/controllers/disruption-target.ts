import { isTracked } from '../jobs/job-pods.ts';
import type { Pod } from '../kubernetes/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { withConditions } from '../objects/conditions.ts';
import { isFinished } from '../objects/pods.ts';
import type { Site } from '../setup/site.ts';

/** Why a controller takes a pod away (core/v1, PodCondition DisruptionTarget). */
interface Disruption {
  readonly reason: 'DeletionByTaintManager' | 'DeletionByPodGC';
  readonly message: string;
  /** Set where the pod's kubelet will not report its end. */
  readonly phase?: 'Failed';
}

/** Records for a Job why its pod is deleted. Other pods are deleted without it, because nothing here reads it. */
export async function markDisrupted(site: Site, pod: Pod, { reason, message, phase }: Disruption): Promise<void> {
  if (!isTracked(pod) || isFinished(pod)) return;
  const stated = [{ type: 'DisruptionTarget', status: 'True', reason, message }] as const;
  const conditions = withConditions(pod.status?.conditions, stated, site.now());
  const value = { status: { conditions, ...(phase === undefined ? {} : { phase }) } };
  await site.cluster.patch('Pod', placeOf(keyOf(pod)), { type: 'merge', value }, { subresource: 'status' });
}
