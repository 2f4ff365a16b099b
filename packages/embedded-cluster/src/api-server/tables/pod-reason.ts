import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { countAt, listAt, textAt, valueAt } from './values.ts';

/** What a table says of a pod by its containers (kubernetes, pkg/printers/internalversion/printers.go, printPod). */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  /** Those whose restarts are counted. */
  readonly counted: readonly Json[];
}

/** While init containers are unfinished only they decide the text; afterwards sidecars and containers do. */
export function podSummary(pod: StoredObject): PodSummary {
  const sidecars = new Set(listAt(pod, 'spec.initContainers').filter(isSidecar).map(nameOf));
  const init = listAt(pod, 'status.initContainerStatuses');
  const containers = listAt(pod, 'status.containerStatuses');
  const current = init.findIndex((one) => !isDone(one, sidecars));
  const passed = (current < 0 ? init : init.slice(0, current)).filter((one) => isStartedSidecar(one, sidecars));
  const total = listAt(pod, 'spec.containers').length + sidecars.size;
  const ready = passed.filter(isReady).length;
  const unfinished = init[current];
  const waits = unfinished && initReason(unfinished, current, listAt(pod, 'spec.initContainers').length);
  if (waits !== undefined && !hasCondition(pod, 'Initialized'))
    return { ready, total, status: ended(pod, waits), counted: init.slice(0, current + 1) };
  const running = containers.filter((one) => !isReasoned(one) && isReady(one) && isRunning(one));
  const reason = containers.map(containerReason).find(Boolean) ?? waits ?? ownReason(pod);
  const isBack = reason === 'Completed' && running.length > 0;
  const status = isBack ? (hasCondition(pod, 'Ready') ? 'Running' : 'NotReady') : reason;
  const counted = [...init.filter((one) => sidecars.has(nameOf(one))), ...containers];
  return { ready: ready + running.length, total, status: ended(pod, status), counted };
}

const nameOf = ({ name }: Json): unknown => name;
const isSidecar = ({ restartPolicy }: Json): boolean => restartPolicy === 'Always';
const isReady = ({ ready }: Json): boolean => ready === true;
const isRunning = (container: Json): boolean => valueAt(container, 'state.running') !== undefined;
const isReasoned = (container: Json): boolean => containerReason(container) !== undefined;

const isStartedSidecar = (container: Json, sidecars: ReadonlySet<unknown>): boolean =>
  sidecars.has(nameOf(container)) && container.started === true && !hasSucceeded(container);

const isDone = (container: Json, sidecars: ReadonlySet<unknown>): boolean =>
  hasSucceeded(container) || isStartedSidecar(container, sidecars);

const hasSucceeded = (container: Json): boolean =>
  valueAt(container, 'state.terminated') !== undefined && countAt(container, 'state.terminated.exitCode') === 0;

function initReason(container: Json, index: number, all: number): string {
  if (valueAt(container, 'state.terminated') !== undefined) return `Init:${containerReason(container)}`;
  const waiting = textAt(container, 'state.waiting.reason', '');
  return waiting === '' || waiting === 'PodInitializing' ? `Init:${index}/${all}` : `Init:${waiting}`;
}

function containerReason(container: Json): string | undefined {
  const waiting = textAt(container, 'state.waiting.reason', '');
  if (waiting !== '') return waiting;
  const state = valueAt(container, 'state.terminated');
  if (state === undefined) return undefined;
  const signal = countAt(state, 'signal');
  return textAt(state, 'reason', signal > 0 ? `Signal:${signal}` : `ExitCode:${countAt(state, 'exitCode')}`);
}

function ownReason(pod: StoredObject): string {
  const gated = listAt(pod, 'status.conditions').some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(pod, 'status.reason', textAt(pod, 'status.phase', 'Unknown'));
}

/** A pod that is being deleted is shown as Terminating until it has ended. */
function ended(pod: StoredObject, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (textAt(pod, 'status.reason', '') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status.phase', '')) ? reason : 'Terminating';
}

const hasCondition = (pod: StoredObject, wanted: string): boolean =>
  listAt(pod, 'status.conditions').some(({ type, status }) => type === wanted && status === 'True');
