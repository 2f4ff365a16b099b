import type { ContainerStatus, Pod, PodStatus } from '../../cluster/resources.ts';
import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import { type Stated, withConditions } from '../conditions.ts';
import { type Container, hasExited } from '../containers.ts';
import type { Instance } from '../instances.ts';
import { timestamp } from '../timestamps.ts';
import { type Readiness, readinessOf } from './readiness.ts';

/** What the kubelet reports of a pod at an instant, and when it will have something new to say, epoch milliseconds. */
export interface Report {
  readonly status: PodStatus;
  readonly changesAt?: number;
}

/** Pure: the pod's spec and its containers as they are → its status (core/v1 PodStatus). */
export function reportOf(pod: Pod, containers: readonly Container[], instance: Instance, at: number): Report {
  const seen = pod.spec.containers.map((spec) => {
    const container = containers.find(({ name }) => name === spec.name);
    return { spec, container, readiness: container && readinessOf(container, spec.readinessProbe, at) };
  });
  const isReady = seen.every(({ readiness }) => readiness?.ready === true);
  const [first] = containers;
  const changes = seen.flatMap(({ readiness }) => readiness?.changesAt ?? []);
  const isUp = seen.some(({ container }) => container !== undefined && at >= container.seenAt);
  return {
    status: {
      phase: phaseOf(pod, seen, isUp, at),
      hostIP: instance.address,
      ...(first === undefined ? {} : { podIP: first.address, startTime: timestamp(first.createdAt) }),
      conditions: withConditions(pod.status?.conditions, conditionsOf(isReady), at),
      containerStatuses: seen.map(({ spec, container, readiness }) => containerStatus(spec, container, readiness, at)),
    },
    ...(changes.length === 0 ? {} : { changesAt: Math.min(...changes) }),
  };
}

interface Seen {
  readonly spec: ContainerSpec;
  readonly container: Container | undefined;
  readonly readiness: Readiness | undefined;
}

/** A pod that is being deleted ends Succeeded or Failed; any other is kept running (restartPolicy Always). */
function phaseOf(
  pod: Pod,
  seen: readonly Seen[],
  isUp: boolean,
  at: number,
): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
  const exited = seen.filter(({ container }) => container !== undefined && hasExited(container, at));
  if (pod.metadata.deletionTimestamp !== undefined && exited.length === seen.length) {
    return exited.every(({ container }) => container?.exitCode === 0) ? 'Succeeded' : 'Failed';
  }
  return isUp ? 'Running' : 'Pending';
}

function conditionsOf(isReady: boolean): readonly Stated[] {
  const status = isReady ? 'True' : 'False';
  const why = isReady ? {} : { reason: 'ContainersNotReady' };
  return [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Initialized', status: 'True' },
    { type: 'ContainersReady', status, ...why },
    { type: 'Ready', status, ...why },
  ];
}

function containerStatus(
  spec: ContainerSpec,
  container: Container | undefined,
  readiness: Readiness | undefined,
  at: number,
): ContainerStatus {
  const running = container !== undefined && at >= container.seenAt && !hasExited(container, at);
  return {
    name: spec.name,
    image: spec.image,
    ready: readiness?.ready ?? false,
    started: running,
    restartCount: container?.restarts ?? 0,
    state: stateOf(container, running, at),
  };
}

function stateOf(
  container: Container | undefined,
  running: boolean,
  at: number,
): NonNullable<ContainerStatus['state']> {
  if (container !== undefined && hasExited(container, at)) {
    const exitCode = container.exitCode ?? 0;
    return {
      terminated: {
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        finishedAt: timestamp(container.exitsAt ?? at),
      },
    };
  }
  if (!running || container === undefined) return { waiting: { reason: 'ContainerCreating' } };
  return { running: { startedAt: timestamp(container.startsAt) } };
}
