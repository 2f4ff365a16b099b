import { isFinished, isReady } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';
import type { Finding } from '../finding.ts';
import { asExpected, type CheckedRun, notAsExpected } from './check.ts';
import { described } from './pod-trouble.ts';

/** A container that ended more recently is in a crash loop: twice the longest back-off of the kubelet, five minutes. */
const stableSeconds = 600;

/** The pods of a component are running: at least one, all of them ready, and none in a crash loop. */
export async function componentPods(
  { site: { cluster, host } }: CheckedRun,
  check: { readonly id: string; readonly component: string; readonly advice: string },
  place: { readonly namespace: string; readonly selector: string },
): Promise<Finding> {
  const assertion = {
    id: check.id,
    subject: `pods ${place.selector} in namespace ${place.namespace}`,
    expected: `the ${check.component} pods running and ready`,
  };
  const pods = await cluster.list('Pod', { namespace: place.namespace, labelSelector: place.selector });
  const current = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && !isFinished(pod));
  if (current.length === 0) return notAsExpected(assertion, 'no pod', check.advice);
  const waiting = current.filter((pod) => !isReady(pod));
  const restarting = current.filter(
    (pod) => isReady(pod) && lastEndedAt(pod) > host.clock.wallAt() - stableSeconds * 1000,
  );
  const ready = `${current.length - waiting.length} of ${current.length} ready`;
  const troubles = [
    ...(waiting.length === 0 ? [] : [`not ready: ${waiting.map(described).join(', ')}`]),
    ...(restarting.length === 0 ? [] : [`restarting: ${restarting.map(described).join(', ')}`]),
  ];
  if (troubles.length === 0) return asExpected(assertion, ready);
  return notAsExpected(assertion, [ready, ...troubles].join('; '), check.advice);
}

/** When a container of the pod last ended, epoch milliseconds; 0 if none has. */
function lastEndedAt({ status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ lastState }) =>
    Date.parse(lastState?.terminated?.finishedAt ?? ''),
  );
  return Math.max(0, ...ends.filter((at) => !Number.isNaN(at)));
}
