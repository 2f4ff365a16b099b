import type { Pod } from '../kubernetes/resources.ts';
import type { PodUsage } from '../machines/pod-metrics.ts';
import { conditionOf } from '../objects/conditions.ts';
import { isTerminating } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';

/**
 * The pods of an autoscaler's target by what their CPU says; those that go or have failed are in no group
 * (replica_calculator.go, groupPods).
 */
export interface PodGroups {
  readonly ready: readonly Pod[];
  /** They start, or were never ready. */
  readonly unready: readonly Pod[];
  /** They run, and are not measured. */
  readonly missing: readonly Pod[];
}

/** `at` in epoch milliseconds. */
export function groupsOf(pods: readonly Pod[], usageOf: (pod: Pod) => PodUsage | undefined, at: number): PodGroups {
  const groups = { ready: [] as Pod[], unready: [] as Pod[], missing: [] as Pod[] };
  for (const pod of pods)
    if (!isTerminating(pod) && pod.status?.phase !== 'Failed') groups[groupOf(pod, usageOf(pod), at)].push(pod);
  return groups;
}

function groupOf(pod: Pod, usage: PodUsage | undefined, at: number): keyof PodGroups {
  const { phase = 'Pending' } = pod.status ?? {};
  if (phase === 'Pending') return 'unready';
  if (usage === undefined) return 'missing';
  return isUnready(pod, usage, at) ? 'unready' : 'ready';
}

/** --horizontal-pod-autoscaler-cpu-initialization-period and --horizontal-pod-autoscaler-initial-readiness-delay. */
const initializationMs = 300_000;
const initialReadinessMs = 30_000;

function isUnready({ status }: Pod, { endedAt, windowSeconds }: PodUsage, at: number): boolean {
  const ready = conditionOf({ status: status ?? {} }, 'Ready');
  if (ready?.lastTransitionTime === undefined || status?.startTime === undefined) return true;
  const changedAt = instantOf(ready.lastTransitionTime);
  const startedAt = instantOf(status.startTime);
  if (startedAt + initializationMs > at) return ready.status === 'False' || endedAt < changedAt + 1000 * windowSeconds;
  return ready.status === 'False' && startedAt + initialReadinessMs > changedAt;
}
