import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { ageAt } from './durations.ts';
import { countAt, listAt, textAt, valueAt } from './values.ts';

/** core/v1 Pod (kubernetes, pkg/printers/internalversion/printers.go, printPod). */
export function podCells(pod: StoredObject, nowAt: number): readonly unknown[] {
  const statuses = listAt(pod, 'status.containerStatuses');
  const ready = statuses.filter((container) => container.ready === true);
  return [
    pod.metadata.name,
    `${ready.length}/${listAt(pod, 'spec.containers').length}`,
    podStatus(pod),
    restarts(statuses, nowAt),
    ageAt(pod.metadata.creationTimestamp, nowAt),
    textAt(pod, 'status.podIP'),
    textAt(pod, 'spec.nodeName'),
    textAt(pod, 'status.nominatedNodeName'),
    readinessGates(pod),
  ];
}

function podStatus(pod: StoredObject): string {
  const phase = textAt(pod, 'status.phase', 'Unknown');
  const reason = textAt(pod, 'status.reason', '');
  if (pod.metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed')
    return reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  const ofContainer = listAt(pod, 'status.containerStatuses').map(containerReason).find(Boolean);
  if (ofContainer !== undefined) return ofContainer;
  const gated = listAt(pod, 'status.conditions').some((one) => one.reason === 'SchedulingGated');
  return reason || (gated ? 'SchedulingGated' : phase);
}

function containerReason(container: Json): string | undefined {
  const waiting = textAt(container, 'state.waiting.reason', '');
  if (waiting !== '') return waiting;
  const ended = valueAt(container, 'state.terminated');
  if (ended === undefined) return undefined;
  const signal = countAt(ended, 'signal');
  return textAt(ended, 'reason', signal > 0 ? `Signal:${signal}` : `ExitCode:${countAt(ended, 'exitCode')}`);
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
