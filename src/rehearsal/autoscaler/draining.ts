import type { Pod } from '../../cluster/resources.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';
import { untolerated } from '../scheduling/taints.ts';
import { isNotToBeDisrupted } from './do-not-disrupt.ts';
import { disruptedTaint } from './words.ts';

/** What is to be done now for the pods of a node that goes. */
export interface Draining {
  readonly evict: readonly Pod[];
  /** Their grace period would outlast the node's: they are deleted, whatever stands against it. */
  readonly expiring: readonly Pod[];
  /** How many the node waits for, these included. */
  readonly waiting: number;
}

/**
 * Group by group, each when the one before has gone: those that are not critical, critical ones, DaemonSets' pods after the
 * others in each (terminator.go). `endsAt`: when the claim's terminationGracePeriod is over. Pure.
 */
export function draining(pods: Iterable<Pod>, at: number, endsAt: number): Draining {
  const waited = [...pods].filter((pod) => isDrained(pod) && !isStuck(pod, at));
  const next = groups.map((isIn) => waited.filter(isIn)).find((group) => group.length > 0) ?? [];
  return {
    evict: next.filter((pod) => !isTerminating(pod) && !isNotToBeDisrupted(pod, at)),
    expiring: waited.filter((pod) => !isTerminating(pod) && at > endsAt - 1000 * graceSeconds(pod)),
    waiting: waited.length,
  };
}

/** Pods that tolerate the taint stay to the end, as most DaemonSets' do, and those that have finished. */
const isDrained = (pod: Pod): boolean => !isFinished(pod) && untolerated(pod.spec, [disruptedTaint]) !== undefined;

const stuckAfterMs = 60_000;

/** Nobody waits for a pod whose grace period has been over for a minute (IsStuckTerminating). */
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

const graceSeconds = ({ spec }: Pod): number => spec.terminationGracePeriodSeconds ?? 30;
