import { condition, isFinished, isReady } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';
import type { Finding } from '../finding.ts';
import { asExpected, type CheckedRun, notAsExpected } from './check.ts';

/** A container that ended so lately is in a crash loop, whose longest pause is five minutes, twice over. */
const calmSeconds = 600;

/** Whether the pods of a component are running: all there is of them ready, at least one, and none that keeps ending. */
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
  const going = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && !isFinished(pod));
  if (going.length === 0) return notAsExpected(assertion, 'no pod', check.advice);
  const waiting = going.filter((pod) => !isReady(pod));
  const restless = going.filter((pod) => isReady(pod) && lastEndedAt(pod) > host.clock.wallAt() - calmSeconds * 1000);
  const ready = `${going.length - waiting.length} of ${going.length} ready`;
  const troubles = [
    ...(waiting.length === 0 ? [] : [`not ready: ${waiting.map(described).join(', ')}`]),
    ...(restless.length === 0 ? [] : [`restarting: ${restless.map(described).join(', ')}`]),
  ];
  if (troubles.length === 0) return asExpected(assertion, ready);
  return notAsExpected(assertion, [ready, ...troubles].join('; '), check.advice);
}

/** When a container of the pod last ended, epoch milliseconds; long ago when none has. */
function lastEndedAt({ status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ lastState }) =>
    Date.parse(lastState?.terminated?.finishedAt ?? ''),
  );
  return Math.max(0, ...ends.filter((at) => !Number.isNaN(at)));
}

/** `karpenter-6d5f9 (CrashLoopBackOff)`: the pod with the reason, where the API gives one. */
function described(pod: Pod): string {
  const reasons = (pod.status?.containerStatuses ?? []).map(
    ({ state, lastState }) => state?.waiting?.reason ?? lastState?.terminated?.reason,
  );
  const reason = reasons.find((one) => one !== undefined) ?? condition(pod, 'Ready')?.reason;
  return reason === undefined ? pod.metadata.name : `${pod.metadata.name} (${reason})`;
}
