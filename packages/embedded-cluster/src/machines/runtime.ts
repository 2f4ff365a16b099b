import { type Container, isRunning, listensOn, type Stopping, type Strain, stopped } from './containers.ts';
import type { Fleet } from './fleet.ts';
import { type Program, programOf } from './images.ts';
import { isPoweredOn } from './instances.ts';

/** The containers on the instances, and the connections that they accept. */
export interface Runtime {
  start(container: Container): void;
  /** Graceful, as the container runtime does it; a second call never delays the exit. */
  stop(containerId: string, how: Stopping): void;
  /** The process exits now, without a stop request. */
  crash(containerId: string, exitCode: number): void;
  setLastWords(containerId: string, lastWords: string): void;
  /** Called the first time that its requests wait longer than a probe may. */
  strain(containerId: string): void;
  /** What its kubelet has found of that; undefined: it is over. */
  setStrain(containerId: string, strain: Strain | undefined): void;
  remove(containerId: string): void;
  container(containerId: string): Container | undefined;
  containersOf(podKey: string): readonly Container[];
  containersOn(instanceId: string): readonly Container[];
  containers(): Iterable<Container>;
  /** The containers of that program that run now. */
  running(program: Program['name']): readonly Container[];
  /** A free address for another pod on that instance. */
  podAddress(instanceId: string): string;
  /** A TCP connection to that address, now. */
  connect(address: string, port: number): ConnectResult;
  /** Calls the listener with each container that is made. */
  onContainerStart(listener: (container: Container) => void): void;
  /** Calls the listener with the id of each container that has to stop. */
  onContainerStop(listener: (containerId: string) => void): void;
  /** Calls the listener when a container changes without its kubelet having caused it. */
  onContainerChange(listener: (podKey: string) => void): void;
}

/**
 * `refused`: the pod is there and nothing listens. `dropped`: the machine is off, or the address is unused; nothing
 * comes back, until the kernel reports that there is no route to the host, at `unreachableAt` (epoch milliseconds).
 */
export type ConnectResult =
  | { readonly outcome: 'accepted'; readonly container: Container }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'dropped'; readonly unreachableAt?: number };

interface State {
  readonly fleet: Fleet;
  readonly now: () => number;
  readonly byId: Map<string, Container>;
  readonly byPod: Groups;
  readonly byInstance: Groups;
  readonly byProgram: Groups;
  /** The pod that had the address last. */
  readonly byAddress: Map<string, AddressOwner>;
  /** The last octet that was allocated on each instance. */
  readonly lastAllocated: Map<string, number>;
  readonly listeners: ((podKey: string) => void)[];
  readonly startListeners: ((container: Container) => void)[];
  readonly stopListeners: ((containerId: string) => void)[];
}

interface AddressOwner {
  readonly instanceId: string;
  readonly podKey: string;
  /** Set when its last container was removed: see `Container.silentAt`. */
  readonly silentAt?: number;
}

type Groups = Map<string, Set<string>>;

export function createRuntime(fleet: Fleet, now: () => number, saved: readonly Container[] = []): Runtime {
  const state: State = {
    fleet,
    now,
    byId: new Map(),
    byPod: new Map(),
    byInstance: new Map(),
    byProgram: new Map(),
    byAddress: new Map(),
    lastAllocated: new Map(),
    listeners: [],
    startListeners: [],
    stopListeners: [],
  };
  for (const container of saved) startSaved(state, container);
  return {
    start: (container) => start(state, container),
    stop: (containerId, how) => stop(state, containerId, how),
    crash: (containerId, exitCode) => crash(state, containerId, exitCode),
    setLastWords: (containerId, lastWords) => change(state, containerId, (container) => ({ ...container, lastWords })),
    strain: (containerId) => strainOf(state, containerId),
    setStrain: (containerId, strain) =>
      change(state, containerId, ({ strain: _, ...rest }) => (strain === undefined ? rest : { ...rest, strain })),
    remove: (containerId) => remove(state, containerId),
    container: (containerId) => state.byId.get(containerId),
    containersOf: (podKey) => members(state, state.byPod, podKey),
    containersOn: (instanceId) => members(state, state.byInstance, instanceId),
    containers: () => state.byId.values(),
    running: (program) => running(state, program),
    podAddress: (instanceId) => podAddress(state, instanceId),
    connect: (address, port) => connect(state, address, port),
    onContainerStart: (listener) => void state.startListeners.push(listener),
    onContainerStop: (listener) => void state.stopListeners.push(listener),
    onContainerChange: (listener) => void state.listeners.push(listener),
  };
}

function start(state: State, container: Container): void {
  const { id, instanceId, podKey, address } = container;
  state.byId.set(id, container);
  for (const [groups, group] of groupsOf(state, container)) groups.set(group, (groups.get(group) ?? new Set()).add(id));
  if (address !== state.fleet.instance(instanceId)?.address) state.byAddress.set(address, { instanceId, podKey });
  for (const listener of state.startListeners) listener(container);
}

/**
 * A saved world does not have the last allocation: the highest address in use stands for it, so that a freed one is not
 * reused at once.
 */
function startSaved(state: State, container: Container): void {
  start(state, container);
  const { instanceId, address } = container;
  if (!state.byAddress.has(address)) return;
  const last = Number(address.slice(address.lastIndexOf('.') + 1));
  state.lastAllocated.set(instanceId, Math.max(last, state.lastAllocated.get(instanceId) ?? 0));
}

function groupsOf(state: State, { podKey, instanceId, image }: Container): readonly (readonly [Groups, string])[] {
  return [
    [state.byPod, podKey],
    [state.byInstance, instanceId],
    [state.byProgram, programOf(image).name],
  ];
}

function change(state: State, containerId: string, next: (container: Container) => Container): void {
  const container = state.byId.get(containerId);
  if (container !== undefined) state.byId.set(containerId, next(container));
}

function stop(state: State, containerId: string, how: Stopping): void {
  change(state, containerId, (container) => stopped(container, state.now(), how));
  for (const listener of state.stopListeners) listener(containerId);
}

function crash(state: State, containerId: string, exitCode: number): void {
  const at = state.now();
  change(state, containerId, (container) => ({ ...container, closesAt: at, exitsAt: at, exitCode }));
  tell(state, containerId);
}

function tell(state: State, containerId: string): void {
  const podKey = state.byId.get(containerId)?.podKey;
  if (podKey !== undefined) for (const listener of state.listeners) listener(podKey);
}

const nothing = { failures: 0, successes: 0 };

function strainOf(state: State, containerId: string): void {
  if (state.byId.get(containerId)?.strain !== undefined) return;
  const strain = { countedUntil: state.now(), readiness: nothing, liveness: nothing };
  change(state, containerId, (container) => ({ ...container, strain }));
  tell(state, containerId);
}

function remove(state: State, containerId: string): void {
  const container = state.byId.get(containerId);
  if (container === undefined) return;
  state.byId.delete(containerId);
  const owner = state.byAddress.get(container.address);
  const silentAt = container.silentAt ?? state.now() + sandboxEndsMs;
  if (owner?.podKey === container.podKey) state.byAddress.set(container.address, { ...owner, silentAt });
  for (const [groups, group] of groupsOf(state, container)) {
    groups.get(group)?.delete(containerId);
    if (groups.get(group)?.size === 0) groups.delete(group);
  }
}

function members(state: State, groups: Groups, group: string): readonly Container[] {
  const found: Container[] = [];
  for (const id of groups.get(group) ?? []) {
    const container = state.byId.get(id);
    if (container !== undefined) found.push(container);
  }
  return found;
}

function running(state: State, program: Program['name']): readonly Container[] {
  const at = state.now();
  return members(state, state.byProgram, program).filter((container) => {
    const instance = state.fleet.instance(container.instanceId);
    return instance !== undefined && isPoweredOn(instance, at) && isRunning(container, at);
  });
}

function connect(state: State, address: string, port: number): ConnectResult {
  const at = state.now();
  const owner = state.byAddress.get(address);
  const instance = owner && state.fleet.instance(owner.instanceId);
  if (owner === undefined || instance === undefined || !isPoweredOn(instance, at)) return dropped;
  const there = members(state, state.byPod, owner.podKey).filter((one) => one.address === address);
  const container = there.find((one) => listensOn(one, port, at));
  if (container !== undefined) return { outcome: 'accepted', container };
  const silentAt = there.length > 0 ? Math.max(...there.map(silenceOf)) : silenceOf(owner);
  return at < silentAt ? refused : silence(silentAt, at);
}

const silenceOf = ({ silentAt = Number.POSITIVE_INFINITY }: Pick<Container, 'silentAt'>): number => silentAt;

const refused: ConnectResult = { outcome: 'refused' };
const dropped: ConnectResult = { outcome: 'dropped' };

/** The mean of the delay sandboxEnds, where a container goes without having been stopped. */
const sandboxEndsMs = 300;
/**
 * A client that connects in the first second of the silence learns in its third that there is no route to the host
 * (docs/facts/ingress-nginx.md, "Tries and time limits").
 */
const unreachableForMs = 1000;
const unreachableAfterMs = 3000;

function silence(silentAt: number, at: number): ConnectResult {
  return at < silentAt + unreachableForMs
    ? { outcome: 'dropped', unreachableAt: silentAt + unreachableAfterMs }
    : dropped;
}

/** Each instance has 250 addresses for pods, allocated in turn, so that a freed address is not reused at once. */
const addressesPerInstance = 250;

function podAddress(state: State, instanceId: string): string {
  const ordinal = state.fleet.instance(instanceId)?.ordinal ?? 0;
  const prefix = `10.${64 + (ordinal >> 8)}.${ordinal & 255}`;
  let last = state.lastAllocated.get(instanceId) ?? 0;
  for (let tries = 0; tries < addressesPerInstance; tries += 1) {
    last = 1 + (last % addressesPerInstance);
    if (!isInUse(state, `${prefix}.${last}`)) break;
  }
  state.lastAllocated.set(instanceId, last);
  return `${prefix}.${last}`;
}

function isInUse(state: State, address: string): boolean {
  const podKey = state.byAddress.get(address)?.podKey ?? '';
  return members(state, state.byPod, podKey).some((container) => container.address === address);
}
