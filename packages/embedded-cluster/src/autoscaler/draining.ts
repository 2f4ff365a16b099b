import type { Pod } from '../kubernetes/resources.ts';
import { controllerOf } from '../objects/owners.ts';
import { defaultGraceSeconds, isFinished, isTerminating } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';
import { untolerated } from '../scheduling/taints.ts';
import { hasDoNotDisrupt } from './do-not-disrupt.ts';
import { disruptedTaint } from './well-known.ts';

/** The next step of a drain. */
export interface Draining {
  readonly evict: readonly Pod[];
  /** To be deleted although a budget or an annotation protects them: their grace period would outlast the node's. */
  readonly expiring: readonly Pod[];
  /** How many pods the node still waits for, these included. */
  readonly waiting: number;
}

/**
 * Pods are evicted in groups, each when the one before is gone: non-critical before critical, DaemonSets' pods last in
 * each (terminator.go). `endsAt`: the end of the claim's terminationGracePeriod, epoch milliseconds.
 */
export function draining(pods: Iterable<Pod>, at: number, endsAt: number): Draining {
  const drained = [...pods].filter((pod) => !isFinished(pod) && isDrainable(pod, at));
  const next = groups.map((isInGroup) => drained.filter(isInGroup)).find((group) => group.length > 0) ?? [];
  return {
    evict: next.filter((pod) => !isTerminating(pod) && !hasDoNotDisrupt(pod, at)),
    expiring: drained.filter((pod) => !isTerminating(pod) && at > endsAt - 1000 * graceSeconds(pod)),
    waiting: drained.length,
  };
}

/**
 * Pods that tolerate the taint, as most DaemonSets' do, and stuck ones are not drained (pod/scheduling.go,
 * IsDrainable).
 */
export const isDrainable = (pod: Pod, at: number): boolean =>
  untolerated(pod.spec, [disruptedTaint]) !== undefined && !isStuck(pod, at);

const stuckAfterMs = 60_000;

/**
 * A drain does not wait for a pod whose grace period has been over for a minute (pod/scheduling.go,
 * IsStuckTerminating).
 */
function isStuck({ metadata: { deletionTimestamp } }: Pod, at: number): boolean {
  return deletionTimestamp !== undefined && at > instantOf(deletionTimestamp) + stuckAfterMs;
}

const isCritical = ({ spec }: Pod): boolean =>
  spec.priorityClassName === 'system-cluster-critical' || spec.priorityClassName === 'system-node-critical';
const isDaemon = (pod: Pod): boolean => controllerOf(pod)?.kind === 'DaemonSet';

const groups: readonly ((pod: Pod) => boolean)[] = [
  (pod) => !isCritical(pod) && !isDaemon(pod),
  (pod) => !isCritical(pod) && isDaemon(pod),
  (pod) => isCritical(pod) && !isDaemon(pod),
  (pod) => isCritical(pod) && isDaemon(pod),
];

const graceSeconds = ({ spec }: Pod): number => spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
