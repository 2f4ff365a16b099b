import { isReady } from '../../cluster/pods.ts';
import type { Finding } from '../finding.ts';
import type { Site } from '../scenario.ts';

/** Whether the pods of a component are running: all there is of them ready, and at least one. */
export async function componentPods(
  { cluster }: Site,
  check: { readonly id: string; readonly component: string; readonly advice: string },
  place: { readonly namespace: string; readonly selector: string },
): Promise<Finding> {
  const pods = await cluster.list('Pod', { namespace: place.namespace, labelSelector: place.selector });
  const going = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const waiting = going.filter((pod) => !isReady(pod)).map(({ metadata }) => metadata.name);
  const good = going.length > 0 && waiting.length === 0;
  const observed = going.length === 0 ? 'no pod' : `${going.length - waiting.length} of ${going.length} ready`;
  return {
    id: check.id,
    severity: good ? 'info' : 'error',
    subject: `pods ${place.selector} in namespace ${place.namespace}`,
    expected: `the ${check.component} pods running and ready`,
    observed: waiting.length === 0 ? observed : `${observed}; not ready: ${waiting.join(', ')}`,
    advice: good ? '' : check.advice,
  };
}
