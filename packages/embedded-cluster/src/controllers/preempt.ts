import type { Pod } from '../kubernetes/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { withConditions } from '../objects/conditions.ts';
import { isTerminating } from '../objects/pods.ts';
import type { Preemption } from '../scheduling/preemption.ts';
import { priorityOf } from '../scheduling/preemption.ts';
import type { Site } from '../setup/site.ts';

/**
 * Deletes the victims, each with the condition DisruptionTarget, and gives up the nominations of less important pods to the node (framework/preemption,
 * prepareCandidate). The caller has to write the nominated node into the pod's status.
 */
export async function preempt(site: Site, pod: Pod, { node, victims }: Preemption): Promise<void> {
  for (const victim of victims) if (!isTerminating(victim)) await take(site, victim);
  for (const other of site.cache.podsOn(''))
    if (other.status?.nominatedNodeName === node.name && priorityOf(other) < priorityOf(pod))
      await patchStatus(site, other, { nominatedNodeName: null });
}

async function take(site: Site, victim: Pod): Promise<void> {
  const message = 'default-scheduler: preempting to accommodate a higher priority pod';
  const stated = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message }] as const;
  await patchStatus(site, victim, { conditions: withConditions(victim.status?.conditions, stated, site.now()) });
  await site.cluster.delete('Pod', placeOf(keyOf(victim)), { uid: victim.metadata.uid ?? '' });
}

async function patchStatus(site: Site, pod: Pod, status: object): Promise<void> {
  const at = placeOf(keyOf(pod));
  await site.cluster.patch('Pod', at, { type: 'merge', value: { status } }, { subresource: 'status' });
}
