import type { Pod } from '../kubernetes/resources.ts';
import type { StatefulSet } from '../kubernetes/stateful-set.ts';
import { conditionOf } from '../objects/conditions.ts';
import { isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';

/** What the controller does now: pods to create, by ordinal, and pods to delete. */
export interface Step {
  readonly create: readonly number[];
  readonly remove: readonly Pod[];
}

/** The label with the name of the revision that a pod was made from (apps/v1, StatefulSetRevisionLabel). */
export const revisionLabel = 'controller-revision-hash';

/**
 * The next step of a StatefulSet (stateful_set_control.go, updateStatefulSet): missing pods upwards, surplus ones
 * downwards, then old ones downwards from the last ordinal. With `OrderedReady` one pod at a time, and only while every
 * one before it is running, ready and available.
 */
export function nextStep(set: StatefulSet, pods: readonly Pod[], updateRevision: string, at: number): Step {
  const { wanted, surplus } = sorted(set, pods);
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel';
  const filled = isOrdered ? fillInOrder(set, wanted, at) : fillAtOnce(wanted);
  if (filled !== undefined) return filled;
  const removed = isOrdered ? removeInOrder(surplus) : surplus.filter((pod) => !isTerminating(pod));
  if (surplus.length > 0 && (isOrdered || removed.length > 0)) return { create: [], remove: removed };
  return update(set, wanted, updateRevision);
}

/**
 * The first place that is empty, or whose pod has ended; nothing while a pod before it is not available; undefined
 * where all are.
 */
function fillInOrder(set: StatefulSet, wanted: readonly Place[], at: number): Step | undefined {
  const isAvailable = (pod: Pod) => isHealthy(pod) && availableInstant(pod, set.spec.minReadySeconds ?? 0, at) <= at;
  const first = wanted.find(({ pod }) => pod === undefined || !isAvailable(pod));
  if (first === undefined) return undefined;
  return { create: first.pod === undefined ? [first.ordinal] : [], remove: [first].flatMap(ended) };
}

function fillAtOnce(wanted: readonly Place[]): Step | undefined {
  const create = wanted.filter(({ pod }) => pod === undefined).map(({ ordinal }) => ordinal);
  const remove = wanted.flatMap(ended);
  return create.length === 0 && remove.length === 0 ? undefined : { create, remove };
}

/** A pod that has succeeded or failed is deleted, and made again when it is gone. */
const ended = ({ pod }: Place): readonly Pod[] =>
  pod !== undefined && isFinished(pod) && !isTerminating(pod) ? [pod] : [];

/**
 * The last one, if it is healthy or the first that is not: a surplus pod that cannot start must not hold up the scaling
 * for good.
 */
function removeInOrder(surplus: readonly Pod[]): readonly Pod[] {
  const [last] = surplus;
  if (last === undefined || isTerminating(last)) return [];
  return isHealthy(last) || last === surplus.findLast((pod) => !isHealthy(pod)) ? [last] : [];
}

interface Place {
  readonly ordinal: number;
  readonly pod: Pod | undefined;
}

/** The places of the set upwards, and the pods that have none downwards. */
function sorted({ metadata, spec }: StatefulSet, pods: readonly Pod[]) {
  const { start = 0 } = spec.ordinals ?? {};
  const count = spec.replicas ?? 1;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(metadata.name, pod), pod]));
  const wanted = Array.from({ length: count }, (_, index): Place => {
    return { ordinal: start + index, pod: byOrdinal.get(start + index) };
  });
  const surplus = [...byOrdinal]
    .filter(([ordinal]) => ordinal < start || ordinal >= start + count)
    .toSorted(([a], [b]) => b - a)
    .map(([, pod]) => pod);
  return { wanted, surplus };
}

/** The number at the end of the pod's name; -1 if the name is no name of this set's pods. */
export function ordinalOf(setName: string, { metadata: { name } }: Pod): number {
  const end = name.startsWith(`${setName}-`) ? name.slice(setName.length + 1) : '';
  return /^\d+$/.test(end) ? Number(end) : -1;
}

/** The last pod of an older revision is deleted; until each pod behind it is healthy nothing more is. */
function update(set: StatefulSet, wanted: readonly Place[], updateRevision: string): Step {
  const nothing = { create: [], remove: [] };
  if (set.spec.updateStrategy?.type === 'OnDelete') return nothing;
  const { partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const updated = wanted.slice(partition);
  for (const { pod } of updated.toReversed()) {
    if (pod === undefined) return nothing;
    const isOld = pod.metadata.labels?.[revisionLabel] !== updateRevision;
    if (isOld && !isTerminating(pod)) return { create: [], remove: [pod] };
    if (!isHealthy(pod)) return nothing;
  }
  return nothing;
}

/** Running, ready and not on its way out. */
export const isHealthy = (pod: Pod): boolean =>
  pod.status?.phase === 'Running' && isPodReady(pod) && !isTerminating(pod);

/** From when on a ready pod counts as available, epoch milliseconds. */
export function availableInstant(pod: Pod, minReadySeconds: number, at: number): number {
  const since = conditionOf(pod, 'Ready')?.lastTransitionTime;
  return minReadySeconds === 0 || since === undefined ? at : instantOf(since) + 1000 * minReadySeconds;
}
