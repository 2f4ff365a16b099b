import type { ContainerStatus, Pod, PodStatus } from '../../cluster/resources.ts';
import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import { type Container, type Ended, endOfLife, hasExited } from '../machines/containers.ts';
import type { Instance } from '../machines/instances.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { timestamp } from '../objects/timestamps.ts';
import { isAnswered, startedAt } from './probes.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { isRestarted, restartAt } from './restarting.ts';

/** What the kubelet reports of a pod at an instant, and when it will have something new to say, epoch milliseconds. */
export interface Report {
  readonly status: PodStatus;
  readonly changesAt?: number;
}

/** Pure: the pod's spec and its containers as they are → its status (core/v1 PodStatus). */
export function reportOf(pod: Pod, containers: readonly Container[], instance: Instance, at: number): Report {
  const seen = pod.spec.containers.map((spec) => {
    const container = containers.find(({ name }) => name === spec.name);
    return { spec, container, readiness: container && readinessFound(container, spec, at) };
  });
  const isReady = seen.every(({ readiness }) => readiness?.ready === true);
  const [first] = containers;
  const changes = seen.flatMap(({ readiness }) => readiness?.changesAt ?? []);
  const isUp = seen.some(({ container }) => container !== undefined && at >= container.seenAt);
  return {
    status: {
      phase: phaseOf(pod, seen, isUp, at),
      hostIP: instance.address,
      ...(first === undefined ? {} : addressed(first)),
      conditions: withConditions(pod.status?.conditions, conditionsOf(pod, isReady), at),
      containerStatuses: seen.map(({ spec, container, readiness }) =>
        containerStatus(pod, { spec, container, readiness }, at),
      ),
    },
    ...(changes.length === 0 ? {} : { changesAt: Math.min(...changes) }),
  };
}

type Addressed = Pick<PodStatus, 'podIP'>;
const addresses = new WeakMap<Container, Addressed>();

/** Made once for each version of a container: its status is asked for far more often than it changes. */
function addressed(container: Container): Addressed {
  const known = addresses.get(container);
  if (known !== undefined) return known;
  const { address, createdAt } = container;
  const made = { podIP: address, podIPs: [{ ip: address }], startTime: timestamp(createdAt) };
  addresses.set(container, made);
  return made;
}

/** No probe begins before the startup probe has succeeded, and one that nobody answers never does. */
function readinessFound(container: Container, spec: ContainerSpec, at: number): Readiness {
  const seenAt = startedAt(container, spec);
  const { readinessProbe } = spec;
  if (at < container.seenAt) return readinessOf(container, readinessProbe, at);
  if (!Number.isFinite(seenAt) || !isAnswered(container, spec, readinessProbe))
    return { ready: false, since: container.createdAt };
  return readinessOf(seenAt > container.seenAt ? { ...container, seenAt } : container, readinessProbe, at);
}

interface Seen {
  readonly spec: ContainerSpec;
  readonly container: Container | undefined;
  readonly readiness: Readiness | undefined;
}

/** A pod ends Succeeded or Failed when all its containers have exited and none is started again. */
function phaseOf(
  pod: Pod,
  seen: readonly Seen[],
  isUp: boolean,
  at: number,
): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
  const ended = seen.filter(
    ({ container }) => container !== undefined && hasExited(container, at) && !isRestarted(pod, container),
  );
  if (ended.length === seen.length)
    return ended.every(({ container }) => container?.exitCode === 0) ? 'Succeeded' : 'Failed';
  return isUp ? 'Running' : 'Pending';
}

function conditionsOf(pod: Pod, isReady: boolean): readonly Stated[] {
  const status = isReady ? 'True' : 'False';
  const why = isReady ? {} : { reason: 'ContainersNotReady' };
  const missing = isReady ? gateInTheWay(pod) : undefined;
  return [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Initialized', status: 'True' },
    { type: 'ContainersReady', status, ...why },
    missing === undefined
      ? { type: 'Ready', status, ...why }
      : { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: missing },
  ];
}

/** A pod is ready when its containers are and every condition that its readiness gates name (status/generate.go). */
function gateInTheWay({ spec, status }: Pod): string | undefined {
  for (const { conditionType } of spec.readinessGates ?? []) {
    const condition = status?.conditions?.find(({ type }) => type === conditionType);
    if (condition === undefined)
      return `corresponding condition of pod readiness gate "${conditionType}" does not exist.`;
    if (condition.status !== 'True')
      return `the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`;
  }
  return undefined;
}

function containerStatus(pod: Pod, { spec, container, readiness }: Seen, at: number): ContainerStatus {
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
    ...(last === undefined ? {} : { lastState: { terminated: shown(last) } }),
  };
}

/** It has exited and will be started again, but not at once. */
function isBackingOff(pod: Pod, container: Container, at: number): boolean {
  return hasExited(container, at) && isRestarted(pod, container) && restartAt(container) > at;
}

function stateOf(
  container: Container | undefined,
  running: boolean,
  at: number,
): NonNullable<ContainerStatus['state']> {
  if (container !== undefined && hasExited(container, at)) return { terminated: shown(endOfLife(container)) };
  if (!running || container === undefined) return { waiting: { reason: 'ContainerCreating' } };
  return { running: { startedAt: timestamp(container.startsAt) } };
}

const shown = ({ exitCode, reason, finishedAt }: Ended) => ({ exitCode, reason, finishedAt: timestamp(finishedAt) });
