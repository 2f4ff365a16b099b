import type { ContainerStatus, Pod, PodStatus } from '../kubernetes/resources.ts';
import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import { type Container, type Ended, endOfLife, hasExited } from '../machines/containers.ts';
import type { Instance } from '../machines/instances.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { isSidecar, isTerminating } from '../objects/pods.ts';
import { timestamp } from '../objects/timestamps.ts';
import { waitingForImage } from './image-pull.ts';
import { isInitializing, isPassed, isSidecarOf } from './pod-containers.ts';
import { probeSucceeds, startedAt } from './probes.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { haveEnded, isRestarted, restartAt } from './restarting.ts';

/** The status that the kubelet reports at an instant, and when it changes next, epoch milliseconds. */
export interface Report {
  readonly status: PodStatus;
  readonly changesAt?: number;
}

/** A pod and its containers → its status (core/v1 PodStatus) at that instant, epoch milliseconds. */
export function reportOf(pod: Pod, containers: readonly Container[], instance: Instance, at: number): Report {
  const observe = (spec: ContainerSpec): ObservedContainer => {
    const container = containers.find(({ name }) => name === spec.name);
    return { spec, container, readiness: container && readinessAfterStartup(container, spec, at) };
  };
  const ordinary = pod.spec.containers.map(observe);
  const initial = (pod.spec.initContainers ?? []).map(observe);
  const sidecars = initial.filter(({ spec }) => isSidecar(spec));
  const isReady = [...sidecars, ...ordinary].every(({ readiness }) => readiness?.ready === true);
  const [first] = containers;
  const changes = [
    ...[...initial, ...ordinary].flatMap(({ readiness }) => readiness?.changesAt ?? []),
    ...startsOf(sidecars, at),
    ...containers.flatMap(pullChanges(at)),
  ];
  const phase = phaseOf(pod, containers, at);
  const unpassed = ordinary.some(({ container }) => container !== undefined)
    ? []
    : initial.filter(({ spec, container }) => !isPassed(spec, container, at)).map(({ spec }) => spec.name);
  const state: PodState = { isReady, phase, unpassed };
  const statusOf = (one: ObservedContainer) => containerStatus(pod, one, at);
  return {
    status: {
      phase,
      hostIP: instance.address,
      ...(first === undefined ? {} : addressOf(first)),
      conditions: withConditions(pod.status?.conditions, conditionsOf(pod, state), at),
      ...(initial.length === 0 ? {} : { initContainerStatuses: initial.map(statusOf) }),
      containerStatuses: ordinary.map(statusOf),
    },
    ...(changes.length === 0 ? {} : { changesAt: Math.min(...changes) }),
  };
}

/** When the startup probes of sidecars will have succeeded: the next container waits for it. */
const startsOf = (sidecars: readonly ObservedContainer[], at: number): readonly number[] =>
  sidecars
    .flatMap(({ spec, container }) => (container === undefined ? [] : startedAt(container, spec)))
    .filter((startsAt) => startsAt > at && Number.isFinite(startsAt));

const pullChanges =
  (at: number) =>
  ({ image, unpulled }: Container): readonly number[] => {
    if (unpulled === undefined) return [];
    if (at < unpulled.failsAt) return [unpulled.failsAt];
    const { changesAt } = waitingForImage(image, unpulled, at);
    return changesAt === undefined ? [] : [changesAt];
  };

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

/**
 * The readiness probe runs only after the startup probe has succeeded; one that can never succeed needs no schedule.
 */
function readinessAfterStartup(container: Container, spec: ContainerSpec, at: number): Readiness {
  if (container.unpulled !== undefined) return { ready: false, since: container.createdAt };
  const seenAt = startedAt(container, spec);
  const { readinessProbe } = spec;
  if (at < container.seenAt) return readinessOf(container, readinessProbe, at);
  if (!Number.isFinite(seenAt) || !probeSucceeds(container, spec, readinessProbe))
    return { ready: false, since: container.createdAt };
  const readiness = readinessOf(seenAt > container.seenAt ? { ...container, seenAt } : container, readinessProbe, at);
  const unreadySince = container.strain?.unreadySince;
  return unreadySince === undefined ? readiness : { ...readiness, ready: false, since: unreadySince };
}

/** A container of the spec, with its instance and readiness once there is one. */
interface ObservedContainer {
  readonly spec: ContainerSpec;
  readonly container: Container | undefined;
  readonly readiness: Readiness | undefined;
}

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

interface PodState {
  readonly isReady: boolean;
  readonly phase: Phase;
  /** The init containers that the initialization has not passed yet. */
  readonly unpassed: readonly string[];
}

/**
 * Running from the moment when all ordinary containers run or have run; Succeeded or Failed when those have ended for
 * good and no sidecar is left; Failed if an init container has and is not restarted, or if the pod goes before any
 * container was started (kubelet_pods.go, getPhase).
 */
function phaseOf(pod: Pod, containers: readonly Container[], at: number): Phase {
  if (isTerminating(pod) && containers.length === 0) return 'Failed';
  const ordinary = pod.spec.containers.map(({ name }) => containers.find((one) => one.name === name));
  if (hasFailedToInitialize(pod, containers, at)) return 'Failed';
  const isSidecarLeft = containers.some((one) => isSidecarOf(pod, one.name) && !hasExited(one, at));
  if (haveEnded(pod, containers, at) && !isSidecarLeft)
    return ordinary.every((container) => container?.exitCode === 0) ? 'Succeeded' : 'Failed';
  const hasRun = (one: Container | undefined) => one !== undefined && (at >= one.seenAt || one.last !== undefined);
  return ordinary.every(hasRun) ? 'Running' : 'Pending';
}

const hasFailedToInitialize = (pod: Pod, containers: readonly Container[], at: number): boolean =>
  pod.spec.restartPolicy === 'Never' &&
  containers.some((one) => isInitializing(pod, one.name) && hasExited(one, at) && one.exitCode !== 0);

/**
 * Why the containers of a pod are not ready, by its phase (status/generate.go); one that is deleted is gone before
 * anybody reads it.
 */
const unreadyReasons: Readonly<Record<Phase, string>> = {
  Pending: 'ContainersNotReady',
  Running: 'ContainersNotReady',
  Succeeded: 'PodCompleted',
  Failed: 'PodFailed',
};

function conditionsOf(pod: Pod, { isReady, phase, unpassed }: PodState): readonly Stated[] {
  const status = isReady ? 'True' : 'False';
  const why = isReady ? {} : { reason: isTerminating(pod) ? unreadyReasons.Running : unreadyReasons[phase] };
  const missing = isReady ? unmetReadinessGate(pod) : undefined;
  return [
    { type: 'PodScheduled', status: 'True' },
    unpassed.length === 0 ? { type: 'Initialized', status: 'True' } : uninitialized(unpassed),
    { type: 'ContainersReady', status, ...why },
    missing === undefined
      ? { type: 'Ready', status, ...why }
      : { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: missing },
  ];
}

const uninitialized = (unpassed: readonly string[]): Stated => ({
  type: 'Initialized',
  status: 'False',
  reason: 'ContainersNotInitialized',
  message: `containers with incomplete status: [${unpassed.join(' ')}]`,
});

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
    ready: isInitializing(pod, spec.name) ? isPassed(spec, container, at) : readiness?.ready === true,
    started: running && at >= startedAt(container, spec),
    restartCount: container?.restarts ?? 0,
    state: backsOff ? { waiting: { reason: 'CrashLoopBackOff' } } : stateOf(pod, container, { running, at }),
    ...(last === undefined ? {} : { lastState: { terminated: terminationOf(last) } }),
  };
}

/** It has exited and is restarted later. */
function isBackingOff(pod: Pod, container: Container, at: number): boolean {
  return hasExited(container, at) && isRestarted(pod, container) && restartAt(container) > at;
}

function stateOf(
  pod: Pod,
  container: Container | undefined,
  { running, at }: { readonly running: boolean; readonly at: number },
): NonNullable<ContainerStatus['state']> {
  if (container !== undefined && hasExited(container, at)) return { terminated: terminationOf(endOfLife(container)) };
  const unpulled = container?.unpulled;
  if (container !== undefined && unpulled !== undefined && at >= unpulled.failsAt)
    return { waiting: waitingForImage(container.image, unpulled, at).waiting };
  if (!running || container === undefined)
    return { waiting: { reason: pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating' } };
  return { running: { startedAt: timestamp(container.startsAt) } };
}

const terminationOf = ({ exitCode, reason, finishedAt, message }: Ended) => ({
  exitCode,
  reason,
  ...(message === undefined ? {} : { message }),
  finishedAt: timestamp(finishedAt),
});
