import type { MetricTarget, MetricValue } from '../kubernetes/horizontal-autoscaler.ts';
import type { Pod } from '../kubernetes/resources.ts';
import type { PodUsage } from '../machines/pod-metrics.ts';
import { sidecarsOf } from '../objects/pods.ts';
import { quantity } from '../objects/quantities.ts';
import { groupsOf, type PodGroups } from './pod-groups.ts';

/** How many replicas a metric asks for, and what it was measured to be; or why that is not known. */
export type Proposal = { readonly replicas: number; readonly current: MetricValue } | { readonly failure: string };

/** The CPU of the pods that a target's selector selects. */
export interface Measured {
  readonly pods: readonly Pod[];
  readonly usageOf: (pod: Pod) => PodUsage | undefined;
  /** Of that container alone; absent: of all. */
  readonly container?: string | undefined;
  readonly currentReplicas: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** --horizontal-pod-autoscaler-tolerance. */
const tolerance = 0.1;
/** A sum of floating-point numbers may miss a bound by rounding. */
const rounding = 1e-9;
const isTolerated = (ratio: number): boolean => Math.abs(ratio - 1) <= tolerance + rounding;

/** pkg/controller/podautoscaler/replica_calculator.go, GetResourceReplicas and GetRawResourceReplicas. */
export function replicasFor(target: MetricTarget, measured: Measured): Proposal {
  const usage = usageByPod(measured);
  if (usage.size === 0)
    return failed('unable to get metrics for resource cpu: no metrics returned from resource metrics API');
  const groups = groupsOf(measured.pods, measured.usageOf, measured.at);
  const known = new Map(groups.ready.map((pod) => [pod, usage.get(pod) ?? 0]));
  if (known.size === 0) return failed('did not receive metrics for targeted pods (pods might be unready)');
  const requests = target.averageValue === undefined ? requestsOf(measured) : new Map<Pod, number>();
  if ('failure' in requests) return requests;
  const goal = { target, requests };
  return { current: metricValue(known, goal), replicas: proposed(known, groups, goal, measured.currentReplicas) };
}

/**
 * Pods without a measurement, and on the way up those that are not ready, are taken to use what keeps the change small.
 */
function proposed(known: ReadonlyMap<Pod, number>, groups: PodGroups, goal: Goal, currentReplicas: number): number {
  const first = ratioOf(known, goal);
  const isUp = first > 1;
  const idle = isUp ? groups.unready : [];
  if (first === 1) return currentReplicas;
  if (idle.length === 0 && groups.missing.length === 0)
    return isTolerated(first) ? currentReplicas : ceiling(first * known.size);
  const all = new Map(known);
  for (const pod of groups.missing) all.set(pod, isUp ? 0 : fallbackOf(pod, goal));
  for (const pod of idle) all.set(pod, 0);
  return withoutTurning(first, ratioOf(all, goal), all.size, currentReplicas);
}

const failed = (failure: string) => ({ failure });
const ceiling = (value: number): number => Math.ceil(value - rounding);

/** Pods that are not known take part only as far as they do not turn the direction round. */
function withoutTurning(first: number, second: number, count: number, currentReplicas: number): number {
  if (isTolerated(second) || (first < 1 && second > 1) || (first > 1 && second < 1)) return currentReplicas;
  const replicas = ceiling(second * count);
  return second < 1 ? Math.min(replicas, currentReplicas) : Math.max(replicas, currentReplicas);
}

/** Thousandths of a core, rounded up as a quantity's MilliValue. */
function usageByPod({ pods, usageOf, container }: Measured): ReadonlyMap<Pod, number> {
  const usage = new Map<Pod, number>();
  for (const pod of pods) {
    const containers = usageOf(pod)?.containers.filter(({ name }) => (container ?? name) === name) ?? [];
    const cores = containers.reduce((sum, one) => sum + one.cores, 0);
    if (containers.length > 0) usage.set(pod, ceiling(1000 * cores));
  }
  return usage;
}

/** Thousandths of a core, by pod; the failure that one of them requests none. */
function requestsOf({ pods, container }: Measured): ReadonlyMap<Pod, number> | { readonly failure: string } {
  const requests = new Map<Pod, number>();
  for (const pod of pods) {
    const counted = [...pod.spec.containers, ...sidecarsOf(pod.spec)].filter(
      ({ name }) => (container ?? name) === name,
    );
    const without = counted.find(({ resources }) => resources?.requests?.cpu === undefined);
    if (without !== undefined)
      return { failure: `missing request for cpu in container ${without.name} of Pod ${pod.metadata.name}` };
    requests.set(pod, sumOf(counted.map(({ resources }) => 1000 * quantity(resources?.requests?.cpu))));
  }
  return requests;
}

interface Goal {
  readonly target: MetricTarget;
  readonly requests: ReadonlyMap<Pod, number>;
}

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** In whole percent of what those pods request. */
function utilizationOf(usage: ReadonlyMap<Pod, number>, { requests }: Goal): number {
  const requested = sumOf([...usage.keys()].map((pod) => requests.get(pod) ?? 0));
  return Math.floor((100 * sumOf(usage.values())) / requested + rounding);
}

const averageOf = (usage: ReadonlyMap<Pod, number>): number => Math.floor(sumOf(usage.values()) / usage.size);

/** What is used, as a part of the target. */
function ratioOf(usage: ReadonlyMap<Pod, number>, goal: Goal): number {
  const { averageValue, averageUtilization = 80 } = goal.target;
  if (averageValue !== undefined) return averageOf(usage) / (1000 * quantity(averageValue));
  return utilizationOf(usage, goal) / averageUtilization;
}

/** What a pod without a measurement is taken to use where the others use less than the target. */
function fallbackOf(pod: Pod, { target, requests }: Goal): number {
  if (target.averageValue !== undefined) return 1000 * quantity(target.averageValue);
  return ((requests.get(pod) ?? 0) * Math.max(100, target.averageUtilization ?? 0)) / 100;
}

function metricValue(usage: ReadonlyMap<Pod, number>, goal: Goal): MetricValue {
  const milli = averageOf(usage);
  const averageValue = milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
  return goal.target.averageValue === undefined
    ? { averageUtilization: utilizationOf(usage, goal), averageValue }
    : { averageValue };
}
