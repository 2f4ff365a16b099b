import type { DelayName } from '../time/delays.ts';
import type { Instance, LaunchRequest } from './instances.ts';

/** The cloud's instances. */
export interface Fleet {
  launch(request: LaunchRequest): Instance;
  /**
   * As TerminateInstances: the machine is off some seconds later, and its containers end with it. Nothing tells the API
   * server.
   */
  terminate(instanceId: string): void;
  /** The machine is off from now on, as after a failure of its power; the cloud does not replace it. */
  powerOff(instanceId: string): void;
  instance(instanceId: string): Instance | undefined;
  instances(): Iterable<Instance>;
  instanceOfNode(nodeName: string): Instance | undefined;
  /** Records that the image is on the instance's disk from `at` (epoch milliseconds) on. */
  setImagePulled(instanceId: string, image: string, at: number): void;
  /** Calls the listener when an instance begins to shut down. */
  onTermination(listener: (instance: Instance) => void): void;
  /** Calls the listener for each instance now, and for each new one when it is launched. */
  onInstance(listener: (instance: Instance) => void): void;
}

export interface FleetOptions {
  readonly now: () => number;
  readonly region: string;
  readonly random: () => number;
  readonly delay: (name: DelayName) => number;
}

interface State extends FleetOptions {
  readonly byId: Map<string, Instance>;
  readonly byNode: Map<string, string>;
  readonly launchListeners: ((instance: Instance) => void)[];
  readonly terminationListeners: ((instance: Instance) => void)[];
}

export function createFleet(options: FleetOptions, saved: readonly Instance[] = []): Fleet {
  const state: State = {
    ...options,
    byId: new Map(),
    byNode: new Map(),
    launchListeners: [],
    terminationListeners: [],
  };
  for (const instance of saved) put(state, instance);
  return {
    launch: (request) => launch(state, request),
    terminate: (instanceId) => terminate(state, instanceId),
    powerOff: (instanceId) => {
      const instance = state.byId.get(instanceId);
      if (instance !== undefined) put(state, { ...instance, poweredOffAt: state.now() });
    },
    instance: (instanceId) => state.byId.get(instanceId),
    instances: () => state.byId.values(),
    instanceOfNode: (nodeName) => state.byId.get(state.byNode.get(nodeName) ?? ''),
    setImagePulled: (instanceId, image, at) => {
      const instance = state.byId.get(instanceId);
      if (instance !== undefined) put(state, { ...instance, images: { ...instance.images, [image]: at } });
    },
    onTermination: (listener) => void state.terminationListeners.push(listener),
    onInstance: (listener) => {
      state.launchListeners.push(listener);
      for (const instance of state.byId.values()) listener(instance);
    },
  };
}

function launch(state: State, request: LaunchRequest): Instance {
  forgetTerminated(state);
  const { bootedWithImages, ...wanted } = request;
  const isNew = bootedWithImages === undefined;
  const launchedAt = state.now();
  const after = (from: number, name: DelayName) => (isNew ? from + 1000 * state.delay(name) : from);
  const runningAt = after(launchedAt, 'instanceBoot');
  const kubeletAt = after(runningAt, 'kubeletBoot');
  const ordinal = 1 + Math.max(0, ...[...state.byId.values()].map((instance) => instance.ordinal));
  const address = `10.0.${16 + (ordinal >> 8)}.${ordinal & 255}`;
  const instance: Instance = {
    ...wanted,
    id: newId(state),
    ordinal,
    region: state.region,
    address,
    nodeName: `ip-${address.replaceAll('.', '-')}.${state.region}.compute.internal`,
    launchedAt,
    runningAt,
    kubeletAt,
    readyAt: after(kubeletAt, 'nodeReady'),
    images: Object.fromEntries((bootedWithImages ?? []).map((image) => [image, launchedAt])),
  };
  put(state, instance);
  for (const listener of state.launchListeners) listener(instance);
  return instance;
}

function terminate(state: State, instanceId: string): void {
  const instance = state.byId.get(instanceId);
  if (instance === undefined || instance.terminateAskedAt !== undefined) return;
  const terminateAskedAt = state.now();
  const poweredOffAt = terminateAskedAt + 1000 * state.delay('instancePowerOff');
  const terminatedAt = poweredOffAt + 1000 * state.delay('instanceTermination');
  put(state, { ...instance, terminateAskedAt, poweredOffAt, terminatedAt });
  for (const listener of state.terminationListeners) listener(instance);
}

function put(state: State, instance: Instance): void {
  state.byId.set(instance.id, instance);
  state.byNode.set(instance.nodeName, instance.id);
}

/** DescribeInstances returns a terminated instance for about an hour. */
const describedAfterEndMs = 3_600_000;

function forgetTerminated(state: State): void {
  for (const { id, nodeName, terminatedAt = Number.POSITIVE_INFINITY } of [...state.byId.values()]) {
    if (state.now() < terminatedAt + describedAfterEndMs) continue;
    state.byId.delete(id);
    if (state.byNode.get(nodeName) === id) state.byNode.delete(nodeName);
  }
}

/** A saved world that is continued draws the same random numbers again, so an id can be taken. */
function newId(state: State): string {
  const id = `i-0${hexadecimal(state.random, 16)}`;
  return state.byId.has(id) ? newId(state) : id;
}

function hexadecimal(random: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(16 * random()).toString(16)).join('');
}
