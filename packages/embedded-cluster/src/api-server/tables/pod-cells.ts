import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { ageAt } from './durations.ts';
import { podSummary } from './pod-reason.ts';
import { countAt, listAt, textAt } from './values.ts';

/** core/v1 Pod (kubernetes, pkg/printers/internalversion/printers.go, printPod). */
export function podCells(pod: StoredObject, nowAt: number): readonly unknown[] {
  const { ready, total, status, counted } = podSummary(pod);
  return [
    pod.metadata.name,
    `${ready}/${total}`,
    status,
    restarts(counted, nowAt),
    ageAt(pod.metadata.creationTimestamp, nowAt),
    textAt(pod, 'status.podIP'),
    textAt(pod, 'spec.nodeName'),
    textAt(pod, 'status.nominatedNodeName'),
    readinessGates(pod),
  ];
}

function restarts(statuses: readonly Json[], nowAt: number): string {
  const count = statuses.reduce((sum, one) => sum + countAt(one, 'restartCount'), 0);
  const last =
    statuses
      .map((one) => textAt(one, 'lastState.terminated.finishedAt', ''))
      .toSorted()
      .at(-1) ?? '';
  return count > 0 && last !== '' ? `${count} (${ageAt(last, nowAt)} ago)` : String(count);
}

function readinessGates(pod: StoredObject): string {
  const gates = listAt(pod, 'spec.readinessGates');
  if (gates.length === 0) return '<none>';
  const conditions = listAt(pod, 'status.conditions');
  const passed = gates.filter(({ conditionType }) =>
    conditions.some(({ type, status }) => type === conditionType && status === 'True'),
  );
  return `${passed.length}/${gates.length}`;
}
