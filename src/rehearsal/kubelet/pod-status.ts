import type { ContainerStatus, Pod, PodStatus } from '../../cluster/resources.ts';
import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import { type Container, type Ended, endOfLife, hasExited } from '../machines/containers.ts';
import type { Instance } from '../machines/instances.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { isTerminating } from '../objects/pods.ts';
import { timestamp } from '../objects/timestamps.ts';
import { probeSucceeds, startedAt } from './probes.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { isRestarted, restartAt } from './restarting.ts';

/** The status that the kubelet reports at an instant, and when it changes next, epoch milliseconds. */
export interface Report {
  readonly status: PodStatus;
  readonly changesAt?: number;
}

/** A pod and its containers → its status (core/v1 PodStatus) at that instant, epoch milliseconds. */
export function reportOf(pod: Pod, containers: readonly Container[], instance: Instance, at: number): Report {
  const observed = pod.spec.containers.map((spec) => {
    const container = containers.find(({ name }) => name === spec.name);
    return { spec, container, readiness: container && readinessAfterStartup(container, spec, at) };
  });
  const isReady = observed.every(({ readiness }) => readiness?.ready === true);
  const [first] = containers;
  const changes = observed.flatMap(({ readiness }) => readiness?.changesAt ?? []);
  const isUp = observed.some(({ container }) => container !== undefined && at >= container.seenAt);
  const phase = phaseOf(pod, observed, isUp, at);
  return {
    status: {
      phase,
      hostIP: instance.address,
      ...(first === undefined ? {} : addressOf(first)),
      conditions: withConditions(pod.status?.conditions, conditionsOf(pod, isReady, phase), at),
      containerStatuses: observed.map(({ spec, container, readiness }) =>
        containerStatus(pod, { spec, container, readiness }, at),
      ),
    },
    ...(changes.length === 0 ? {} : { changesAt: Math.min(...changes) }),
  };
}

type AddressStatus = Pick<PodStatus, 'podIP'>;
const addresses = new WeakMap<Container, AddressStatus>();

/** Cached for each version of a container: a status is made far more often than it changes. */
function addressOf(container: Container): AddressStatus {
  const known = addresses.get(container);
  if (known !== undefined) return known;
  const { address, createdAt } = container;
  const made = { podIP: address, podIPs: [{ ip: address }], startTime: timestamp(createdAt) };
  addresses.set(container, made);
  return made;
}

/** The readiness probe runs only after the startup probe has succeeded; one that can never succeed needs no schedule. */
function readinessAfterStartup(container: Container, spec: ContainerSpec, at: number): Readiness {
  const seenAt = startedAt(container, spec);
  const { readinessProbe } = spec;
  if (at < container.seenAt) return readinessOf(container, readinessProbe, at);
  if (!Number.isFinite(seenAt) || !probeSucceeds(container, spec, readinessProbe))
    return { ready: false, since: container.createdAt };
  return readinessOf(seenAt > container.seenAt ? { ...container, seenAt } : container, readinessProbe, at);
}

/** A container of the spec, with its instance and readiness once there is one. */
interface ObservedContainer {
  readonly spec: ContainerSpec;
  readonly container: Container | undefined;
  readonly readiness: Readiness | undefined;
}

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** Succeeded or Failed when all containers have exited and none is restarted; Failed if the pod goes before any was started. */
function phaseOf(pod: Pod, observed: readonly ObservedContainer[], isUp: boolean, at: number): Phase {
  if (isTerminating(pod) && observed.every(({ container }) => container === undefined)) return 'Failed';
  const ended = observed.filter(
    ({ container }) => container !== undefined && hasExited(container, at) && !isRestarted(pod, container),
  );
  if (ended.length === observed.length)
    return ended.every(({ container }) => container?.exitCode === 0) ? 'Succeeded' : 'Failed';
  return isUp ? 'Running' : 'Pending';
}

/** Why the containers of a pod are not ready, by its phase (status/generate.go); one that is deleted is gone before anybody reads it. */
const unreadyReasons: Readonly<Record<Phase, string>> = {
  Pending: 'ContainersNotReady',
  Running: 'ContainersNotReady',
  Succeeded: 'PodCompleted',
  Failed: 'PodFailed',
};

function conditionsOf(pod: Pod, isReady: boolean, phase: Phase): readonly Stated[] {
  const status = isReady ? 'True' : 'False';
  const why = isReady ? {} : { reason: isTerminating(pod) ? unreadyReasons.Running : unreadyReasons[phase] };
  const missing = isReady ? unmetReadinessGate(pod) : undefined;
  return [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Initialized', status: 'True' },
    { type: 'ContainersReady', status, ...why },
    missing === undefined
      ? { type: 'Ready', status, ...why }
      : { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: missing },
  ];
}

/** The message about the first readiness gate whose condition is not True (status/generate.go). */
function unmetReadinessGate({ spec, status }: Pod): string | undefined {
  for (const { conditionType } of spec.readinessGates ?? []) {
    const condition = status?.conditions?.find(({ type }) => type === conditionType);
    if (condition === undefined)
      return `corresponding condition of pod readiness gate "${conditionType}" does not exist.`;
    if (condition.status !== 'True')
      return `the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`;
  }
  return undefined;
}

function containerStatus(pod: Pod, { spec, container, readiness }: ObservedContainer, at: number): ContainerStatus {
  const running = container !== undefined && at >= container.seenAt && !hasExited(container, at);
  const backsOff = container !== undefined && isBackingOff(pod, container, at);
  const last = backsOff ? endOfLife(container) : container?.last;
  return {
    name: spec.name,
    image: spec.image,
    ready: readiness?.ready ?? false,
    started: running && at >= startedAt(container, spec),
    restartCount: container?.restarts ?? 0,
    state: backsOff ? { waiting: { reason: 'CrashLoopBackOff' } } : stateOf(container, running, at),
    ...(last === undefined ? {} : { lastState: { terminated: terminationOf(last) } }),
  };
}

/** It has exited and is restarted later. */
function isBackingOff(pod: Pod, container: Container, at: number): boolean {
  return hasExited(container, at) && isRestarted(pod, container) && restartAt(container) > at;
}

function stateOf(
  container: Container | undefined,
  running: boolean,
  at: number,
): NonNullable<ContainerStatus['state']> {
  if (container !== undefined && hasExited(container, at)) return { terminated: terminationOf(endOfLife(container)) };
  if (!running || container === undefined) return { waiting: { reason: 'ContainerCreating' } };
  return { running: { startedAt: timestamp(container.startsAt) } };
}

const terminationOf = ({ exitCode, reason, finishedAt }: Ended) => ({
  exitCode,
  reason,
  finishedAt: timestamp(finishedAt),
});
