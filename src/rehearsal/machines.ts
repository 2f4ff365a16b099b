import { type Container, isRunning, listensOn, type Stopping, stopped } from './containers.ts';
import { type Program, programOf } from './images.ts';
import { type Instance, type InstanceWish, isPoweredOn } from './instances.ts';

/**
 * What is really there: instances, containers, listening sockets. Facts are instants, so that any moment can be asked
 * about and nothing has to happen for time to pass. The kubelet alone carries news between this and the API's objects.
 */
export interface Machines {
  launch(wish: InstanceWish): Instance;
  /** The machine goes down some seconds later and takes its containers with it, without a word to anyone. */
  terminate(instanceId: string): void;
  instance(instanceId: string): Instance | undefined;
  instances(): Iterable<Instance>;
  instanceOfNode(nodeName: string): Instance | undefined;
  /** The image is on that instance's disk from `at` on. */
  pulled(instanceId: string, image: string, at: number): void;
  start(container: Container): void;
  /** Graceful, as the container runtime does it; a second call can only bring the end forward. */
  stop(containerId: string, how: Stopping): void;
  /** The process ends by itself, now. */
  crash(containerId: string, exitCode: number): void;
  remove(containerId: string): void;
  containersOf(podKey: string): readonly Container[];
  containersOn(instanceId: string): readonly Container[];
  /** Whether a process of that program runs anywhere. */
  isUp(program: Program['name']): boolean;
  /** An address for one more pod on that instance. */
  podAddress(instanceId: string): string;
  /** What a connection to that address meets now. */
  knock(address: string, port: number): Knock;
  /** Calls the listener when something happens to a container that its kubelet did not do itself. */
  onContainerChange(listener: (podKey: string) => void): void;
  /** Calls the listener when an instance begins to shut down. */
  onTermination(listener: (instance: Instance) => void): void;
  /** Calls the listener for every instance that is there and that comes. */
  onInstance(listener: (instance: Instance) => void): void;
  save(): SavedMachines;
}

/** `silence`: packets are swallowed. `refuses`: the machine is up and says that nobody listens. */
export type Knock =
  | { readonly answer: 'accepts'; readonly container: Container }
  | { readonly answer: 'refuses' }
  | { readonly answer: 'silence' };

export interface SavedMachines {
  readonly instances: readonly Instance[];
  readonly containers: readonly Container[];
}

export interface MachinesOptions {
  readonly now: () => number;
  readonly region: string;
  readonly random: () => number;
  readonly delay: (name: InstanceDelay) => number;
  readonly saved?: SavedMachines | undefined;
}
type InstanceDelay = 'instanceBoot' | 'kubeletBoot' | 'nodeReady' | 'instancePowerOff' | 'instanceTermination';

interface Fleet extends MachinesOptions {
  readonly byId: Map<string, Instance>;
  readonly byNode: Map<string, string>;
  readonly byContainer: Map<string, Container>;
  readonly byPod: Map<string, readonly string[]>;
  readonly byInstance: Map<string, Set<string>>;
  readonly byProgram: Map<string, Set<string>>;
  /** Which pod had the address last, and on which machine. */
  readonly byAddress: Map<string, { readonly instanceId: string; readonly podKey: string }>;
  /** The last part of the address that was given out last on each instance. */
  readonly lastGiven: Map<string, number>;
  readonly containerListeners: ((podKey: string) => void)[];
  readonly instanceListeners: ((instance: Instance) => void)[];
  readonly terminationListeners: ((instance: Instance) => void)[];
}

export function createMachines(options: MachinesOptions): Machines {
  const fleet: Fleet = {
    ...options,
    byId: new Map(),
    byNode: new Map(),
    byContainer: new Map(),
    byPod: new Map(),
    byInstance: new Map(),
    byProgram: new Map(),
    byAddress: new Map(),
    lastGiven: new Map(),
    containerListeners: [],
    instanceListeners: [],
    terminationListeners: [],
  };
  for (const instance of options.saved?.instances ?? []) keep(fleet, instance);
  for (const container of options.saved?.containers ?? []) start(fleet, container);
  return { ...instanceSide(fleet), ...containerSide(fleet) };
}

function instanceSide(fleet: Fleet) {
  return {
    launch: (wish: InstanceWish) => launch(fleet, wish),
    terminate: (instanceId: string) => terminate(fleet, instanceId),
    instance: (instanceId: string) => fleet.byId.get(instanceId),
    instances: () => fleet.byId.values(),
    instanceOfNode: (nodeName: string) => fleet.byId.get(fleet.byNode.get(nodeName) ?? ''),
    pulled: (instanceId: string, image: string, at: number) => {
      const instance = fleet.byId.get(instanceId);
      if (instance !== undefined) keep(fleet, { ...instance, images: { ...instance.images, [image]: at } });
    },
    podAddress: (instanceId: string) => podAddress(fleet, instanceId),
    onTermination: (listener: (instance: Instance) => void) => void fleet.terminationListeners.push(listener),
    onInstance: (listener: (instance: Instance) => void) => {
      fleet.instanceListeners.push(listener);
      for (const instance of fleet.byId.values()) listener(instance);
    },
    save: () => ({ instances: [...fleet.byId.values()], containers: [...fleet.byContainer.values()] }),
  };
}

function containerSide(fleet: Fleet) {
  const change = (containerId: string, next: (container: Container) => Container) => {
    const container = fleet.byContainer.get(containerId);
    if (container !== undefined) fleet.byContainer.set(containerId, next(container));
  };
  return {
    start: (container: Container) => start(fleet, container),
    stop: (containerId: string, how: Stopping) =>
      change(containerId, (container) => stopped(container, fleet.now(), how)),
    crash: (containerId: string, exitCode: number) => {
      const at = fleet.now();
      change(containerId, (container) => ({ ...container, closesAt: at, exitsAt: at, exitCode }));
      const podKey = fleet.byContainer.get(containerId)?.podKey;
      if (podKey !== undefined) for (const listener of fleet.containerListeners) listener(podKey);
    },
    remove: (containerId: string) => remove(fleet, containerId),
    containersOf: (podKey: string) => containersOf(fleet, podKey),
    containersOn: (instanceId: string) =>
      [...(fleet.byInstance.get(instanceId) ?? [])].flatMap((id) => fleet.byContainer.get(id) ?? []),
    isUp: (program: Program['name']) => isUp(fleet, program),
    knock: (address: string, port: number) => knock(fleet, address, port),
    onContainerChange: (listener: (podKey: string) => void) => void fleet.containerListeners.push(listener),
  };
}

function launch(fleet: Fleet, wish: InstanceWish): Instance {
  const { warm, ...wanted } = wish;
  const launchedAt = fleet.now();
  const after = (from: number, name: InstanceDelay) => (warm === undefined ? from + 1000 * fleet.delay(name) : from);
  const runningAt = after(launchedAt, 'instanceBoot');
  const kubeletAt = after(runningAt, 'kubeletBoot');
  forgetTerminated(fleet);
  const ordinal = 1 + Math.max(0, ...[...fleet.byId.values()].map((instance) => instance.ordinal));
  const address = `10.0.${16 + (ordinal >> 8)}.${ordinal & 255}`;
  const instance: Instance = {
    ...wanted,
    id: `i-0${hexadecimal(fleet.random, 16)}`,
    ordinal,
    region: fleet.region,
    address,
    nodeName: `ip-${address.replaceAll('.', '-')}.${fleet.region}.compute.internal`,
    launchedAt,
    runningAt,
    kubeletAt,
    readyAt: after(kubeletAt, 'nodeReady'),
    images: Object.fromEntries((warm ?? []).map((image) => [image, launchedAt])),
  };
  keep(fleet, instance);
  for (const listener of fleet.instanceListeners) listener(instance);
  return instance;
}

function keep(fleet: Fleet, instance: Instance): void {
  if (!fleet.byId.has(instance.id)) fleet.byAddress.set(instance.address, { instanceId: instance.id, podKey: '' });
  fleet.byId.set(instance.id, instance);
  fleet.byNode.set(instance.nodeName, instance.id);
}

function terminate(fleet: Fleet, instanceId: string): void {
  const instance = fleet.byId.get(instanceId);
  if (instance === undefined || instance.terminateAskedAt !== undefined) return;
  const terminateAskedAt = fleet.now();
  const poweredOffAt = terminateAskedAt + 1000 * fleet.delay('instancePowerOff');
  const terminatedAt = poweredOffAt + 1000 * fleet.delay('instanceTermination');
  keep(fleet, { ...instance, terminateAskedAt, poweredOffAt, terminatedAt });
  for (const listener of fleet.terminationListeners) listener(instance);
}

function start(fleet: Fleet, container: Container): void {
  fleet.byContainer.set(container.id, container);
  join(fleet.byInstance, container.instanceId, container.id);
  join(fleet.byProgram, programOf(container.image).name, container.id);
  const ids = fleet.byPod.get(container.podKey) ?? [];
  fleet.byPod.set(container.podKey, [...ids.filter((id) => id !== container.id), container.id]);
  const { instanceId, podKey, address } = container;
  if (address !== fleet.byId.get(instanceId)?.address) fleet.byAddress.set(address, { instanceId, podKey });
}

function remove(fleet: Fleet, containerId: string): void {
  const container = fleet.byContainer.get(containerId);
  if (container === undefined) return;
  fleet.byContainer.delete(containerId);
  fleet.byInstance.get(container.instanceId)?.delete(containerId);
  fleet.byProgram.get(programOf(container.image).name)?.delete(containerId);
  const rest = (fleet.byPod.get(container.podKey) ?? []).filter((id) => id !== containerId);
  if (rest.length > 0) fleet.byPod.set(container.podKey, rest);
  else fleet.byPod.delete(container.podKey);
}

function containersOf(fleet: Fleet, podKey: string): readonly Container[] {
  return (fleet.byPod.get(podKey) ?? []).flatMap((id) => fleet.byContainer.get(id) ?? []);
}

function isUp(fleet: Fleet, program: Program['name']): boolean {
  const at = fleet.now();
  return [...(fleet.byProgram.get(program) ?? [])].some((id) => {
    const container = fleet.byContainer.get(id);
    const instance = container && fleet.byId.get(container.instanceId);
    return container !== undefined && instance !== undefined && isRunning(container, at) && isPoweredOn(instance, at);
  });
}

function knock(fleet: Fleet, address: string, port: number): Knock {
  const at = fleet.now();
  const known = fleet.byAddress.get(address);
  const instance = known && fleet.byId.get(known.instanceId);
  if (known === undefined || instance === undefined || !isPoweredOn(instance, at)) return { answer: 'silence' };
  const container = containersOf(fleet, known.podKey).find(
    (candidate) => candidate.address === address && listensOn(candidate, port, at),
  );
  return container === undefined ? { answer: 'refuses' } : { answer: 'accepts', container };
}

/** Each instance has 250 addresses for pods, given out in turn: one that is free again is not given at once. */
function podAddress(fleet: Fleet, instanceId: string): string {
  const ordinal = fleet.byId.get(instanceId)?.ordinal ?? 0;
  const prefix = `10.${64 + (ordinal >> 8)}.${ordinal & 255}`;
  const addresses = 250;
  let last = fleet.lastGiven.get(instanceId) ?? 0;
  for (let tries = 0; tries < addresses; tries += 1) {
    last = 1 + (last % addresses);
    if (!inUse(fleet, `${prefix}.${last}`)) break;
  }
  fleet.lastGiven.set(instanceId, last);
  return `${prefix}.${last}`;
}

function inUse(fleet: Fleet, address: string): boolean {
  const podKey = fleet.byAddress.get(address)?.podKey ?? '';
  return containersOf(fleet, podKey).some((container) => container.address === address);
}

/** DescribeInstances shows a terminated instance for about an hour. */
const shownAfterEndMs = 3_600_000;

function forgetTerminated(fleet: Fleet): void {
  const isForgotten = ({ terminatedAt = Number.POSITIVE_INFINITY }: Instance) =>
    fleet.now() >= terminatedAt + shownAfterEndMs;
  for (const instance of [...fleet.byId.values()].filter(isForgotten)) forget(fleet, instance);
}

function forget(fleet: Fleet, { id, nodeName }: Instance): void {
  for (const containerId of [...(fleet.byInstance.get(id) ?? [])]) remove(fleet, containerId);
  const addresses = [...fleet.byAddress].filter(([, { instanceId }]) => instanceId === id);
  for (const [address] of addresses) fleet.byAddress.delete(address);
  fleet.byId.delete(id);
  fleet.byNode.delete(nodeName);
  fleet.byInstance.delete(id);
  fleet.lastGiven.delete(id);
}

function join(groups: Map<string, Set<string>>, group: string, member: string): void {
  const members = groups.get(group) ?? new Set();
  groups.set(group, members.add(member));
}

function hexadecimal(random: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(16 * random()).toString(16)).join('');
}
