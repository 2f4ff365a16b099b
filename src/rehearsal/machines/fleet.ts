import type { DelayName } from '../time/delays.ts';
import type { Instance, InstanceWish } from './instances.ts';

/** The cloud's instances as they are. */
export interface Fleet {
  launch(wish: InstanceWish): Instance;
  /** The machine goes down some seconds later and takes its containers with it, without a word to anyone. */
  terminate(instanceId: string): void;
  instance(instanceId: string): Instance | undefined;
  instances(): Iterable<Instance>;
  instanceOfNode(nodeName: string): Instance | undefined;
  /** The image is on that instance's disk from `at` on. */
  pulled(instanceId: string, image: string, at: number): void;
  /** Calls the listener when an instance begins to shut down. */
  onTermination(listener: (instance: Instance) => void): void;
  /** Calls the listener for every instance that is there and that comes. */
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
  readonly arrivals: ((instance: Instance) => void)[];
  readonly terminations: ((instance: Instance) => void)[];
}

export function createFleet(options: FleetOptions, saved: readonly Instance[] = []): Fleet {
  const state: State = { ...options, byId: new Map(), byNode: new Map(), arrivals: [], terminations: [] };
  for (const instance of saved) keep(state, instance);
  return {
    launch: (wish) => launch(state, wish),
    terminate: (instanceId) => terminate(state, instanceId),
    instance: (instanceId) => state.byId.get(instanceId),
    instances: () => state.byId.values(),
    instanceOfNode: (nodeName) => state.byId.get(state.byNode.get(nodeName) ?? ''),
    pulled: (instanceId, image, at) => {
      const instance = state.byId.get(instanceId);
      if (instance !== undefined) keep(state, { ...instance, images: { ...instance.images, [image]: at } });
    },
    onTermination: (listener) => void state.terminations.push(listener),
    onInstance: (listener) => {
      state.arrivals.push(listener);
      for (const instance of state.byId.values()) listener(instance);
    },
  };
}

function launch(state: State, wish: InstanceWish): Instance {
  forgetTerminated(state);
  const { warm, ...wanted } = wish;
  const launchedAt = state.now();
  const after = (from: number, name: DelayName) => (warm === undefined ? from + 1000 * state.delay(name) : from);
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
    images: Object.fromEntries((warm ?? []).map((image) => [image, launchedAt])),
  };
  keep(state, instance);
  for (const listener of state.arrivals) listener(instance);
  return instance;
}

function terminate(state: State, instanceId: string): void {
  const instance = state.byId.get(instanceId);
  if (instance === undefined || instance.terminateAskedAt !== undefined) return;
  const terminateAskedAt = state.now();
  const poweredOffAt = terminateAskedAt + 1000 * state.delay('instancePowerOff');
  const terminatedAt = poweredOffAt + 1000 * state.delay('instanceTermination');
  keep(state, { ...instance, terminateAskedAt, poweredOffAt, terminatedAt });
  for (const listener of state.terminations) listener(instance);
}

function keep(state: State, instance: Instance): void {
  state.byId.set(instance.id, instance);
  state.byNode.set(instance.nodeName, instance.id);
}

/** DescribeInstances shows a terminated instance for about an hour. */
const shownAfterEndMs = 3_600_000;

function forgetTerminated(state: State): void {
  for (const { id, nodeName, terminatedAt = Number.POSITIVE_INFINITY } of [...state.byId.values()]) {
    if (state.now() < terminatedAt + shownAfterEndMs) continue;
    state.byId.delete(id);
    if (state.byNode.get(nodeName) === id) state.byNode.delete(nodeName);
  }
}

/** After a restart the same random numbers come again, and some ids are taken already. */
function newId(state: State): string {
  const id = `i-0${hexadecimal(state.random, 16)}`;
  return state.byId.has(id) ? newId(state) : id;
}

function hexadecimal(random: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(16 * random()).toString(16)).join('');
}
