import type { Job } from '../kubernetes/batch.ts';
import type { Pod } from '../kubernetes/resources.ts';
import { conditionOf } from '../objects/conditions.ts';
import { suffix } from '../objects/names.ts';
import { controlledBy } from '../objects/owners.ts';
import { isActive, isFinished, isPodReady, isTerminating } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';
import { ruleMatch } from './pod-failure-policy.ts';

/** Keeps a pod of a Job until its end is counted in the Job's status. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexKey = 'batch.kubernetes.io/job-completion-index';

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) === true;
export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

/** The pods of a Job by what they mean for it; counts include pods whose end is not in its status yet. */
export interface JobPods {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: readonly Pod[];
  readonly newlySucceeded: readonly Pod[];
  readonly newlyFailed: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  /** The indexes that have succeeded, of an Indexed Job. */
  readonly completed: ReadonlySet<number>;
}

export function jobPods(job: Job, pods: readonly Pod[]): JobPods {
  const { status = {} } = job;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const known = new Set([...(uncounted.succeeded ?? []), ...(uncounted.failed ?? [])]);
  const ended = pods.filter((pod) => isTracked(pod) && !known.has(pod.metadata.uid ?? '') && isOfJob(job, pod));
  const newlySucceeded = ended.filter((pod) => pod.status?.phase === 'Succeeded');
  const newlyFailed = ended.filter((pod) => hasFailed(job, pod));
  const active = pods.filter(isActive);
  const completed = new Set([
    ...indexesIn(status.completedIndexes),
    ...newlySucceeded.flatMap((pod) => indexOf(pod) ?? []),
  ]);
  return {
    active,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter((pod) => isTerminating(pod) && !isFinished(pod)),
    newlySucceeded,
    newlyFailed,
    succeeded: isIndexed(job)
      ? completed.size
      : (status.succeeded ?? 0) + newlySucceeded.length + (uncounted.succeeded ?? []).length,
    failed:
      (status.failed ?? 0) + newlyFailed.filter((pod) => counts(job, pod)).length + (uncounted.failed ?? []).length,
    completed,
  };
}

/**
 * A pod that goes has failed too, unless it has succeeded; with podReplacementPolicy Failed only once it has
 * (isPodFailed).
 */
function hasFailed({ spec }: Job, pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase === 'Failed' || (spec.podReplacementPolicy !== 'Failed' && isTerminating(pod) && phase !== 'Succeeded');
}

/** Whether a failure counts against `backoffLimit`. */
export const counts = (job: Job, pod: Pod): boolean => ruleMatch(job, pod)?.action !== 'Ignore';

function isOfJob(job: Job, pod: Pod): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== undefined && index < (job.spec.completions ?? 0);
}

export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[indexKey];
  return text === undefined ? undefined : Number(text);
}

/** The numbers of a text such as `0-2,5`. */
export function indexesIn(text: string | undefined): readonly number[] {
  return (text ?? '').split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range
      .split('-')
      .map((part) => (part === '' ? Number.NaN : Number(part)));
    return Number.isNaN(first) ? [] : Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
}

/** The reverse of `indexesIn` (indexed_job_utils.go, orderedIntervals). */
export function indexesText(indexes: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** A new pod of the Job; `index` of an Indexed one. */
export function jobPod(job: Job, index: number | undefined, random: () => number): Pod {
  const { metadata = {}, spec } = job.spec.template;
  const { name, namespace } = job.metadata;
  const prefix = index === undefined ? name : `${name}-${index}`;
  const indexed = index === undefined ? {} : { [indexKey]: String(index) };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...indexed },
      ...(index === undefined ? {} : { annotations: { ...metadata.annotations, ...indexed } }),
      finalizers: [...new Set([...(metadata.finalizers ?? []), trackingFinalizer])],
      name: `${prefix}-${suffix(random)}`,
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [controlledBy(job)],
    },
    spec:
      index === undefined ? spec : { ...spec, hostname: prefix, containers: spec.containers.map(withIndexVariable) },
  };
}

const indexVariable = 'JOB_COMPLETION_INDEX';

function withIndexVariable<C extends Job['spec']['template']['spec']['containers'][number]>(container: C): C {
  if (container.env?.some(({ name }) => name === indexVariable)) return container;
  const valueFrom = { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${indexKey}']` } };
  return { ...container, env: [...(container.env ?? []), { name: indexVariable, valueFrom }] };
}

/**
 * When a pod ended, epoch milliseconds: its containers, else its condition Ready, else its deletion (backoff_utils.go,
 * getFinishedTime).
 */
export function finishedAt(pod: Pod): number {
  const ends = (pod.status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends.map(instantOf));
  const ready = conditionOf(pod, 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime !== undefined) return instantOf(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = pod.metadata;
  if (deletionTimestamp === undefined) return instantOf(creationTimestamp);
  return instantOf(deletionTimestamp) - 1000 * deletionGracePeriodSeconds;
}
