import { type Container, isRunning, listensOn, type Stopping, stopped } from './containers.ts';
import type { Fleet } from './fleet.ts';
import { type Program, programOf } from './images.ts';
import { isPoweredOn } from './instances.ts';

/** The containers on the instances, and what a connection to an address meets. */
export interface Runtime {
  start(container: Container): void;
  /** Graceful, as the container runtime does it; a second call can only bring the end forward. */
  stop(containerId: string, how: Stopping): void;
  /** The process ends by itself, now. */
  crash(containerId: string, exitCode: number): void;
  remove(containerId: string): void;
  container(containerId: string): Container | undefined;
  containersOf(podKey: string): readonly Container[];
  containersOn(instanceId: string): readonly Container[];
  containers(): Iterable<Container>;
  /** The processes of that program that run now. */
  running(program: Program['name']): readonly Container[];
  /** An address for one more pod on that instance. */
  podAddress(instanceId: string): string;
  /** What a connection to that address meets now. */
  knock(address: string, port: number): Knock;
  /** Calls the listener when something happens to a container that its kubelet did not do itself. */
  onContainerChange(listener: (podKey: string) => void): void;
}

/** `silence`: packets are swallowed. `refuses`: the machine is up and says that nobody listens. */
export type Knock =
  | { readonly answer: 'accepts'; readonly container: Container }
  | { readonly answer: 'refuses' }
  | { readonly answer: 'silence' };

interface State {
  readonly fleet: Fleet;
  readonly now: () => number;
  readonly byId: Map<string, Container>;
  readonly byPod: Groups;
  readonly byInstance: Groups;
  readonly byProgram: Groups;
  /** Which pod had the address last, and on which machine. */
  readonly byAddress: Map<string, { readonly instanceId: string; readonly podKey: string }>;
  /** The last part of the address that was given out last on each instance. */
  readonly lastGiven: Map<string, number>;
  readonly listeners: ((podKey: string) => void)[];
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
    lastGiven: new Map(),
    listeners: [],
  };
  for (const container of saved) start(state, container);
  return {
    start: (container) => start(state, container),
    stop: (containerId, how) => change(state, containerId, (container) => stopped(container, now(), how)),
    crash: (containerId, exitCode) => crash(state, containerId, exitCode),
    remove: (containerId) => remove(state, containerId),
    container: (containerId) => state.byId.get(containerId),
    containersOf: (podKey) => members(state, state.byPod, podKey),
    containersOn: (instanceId) => members(state, state.byInstance, instanceId),
    containers: () => state.byId.values(),
    running: (program) => running(state, program),
    podAddress: (instanceId) => podAddress(state, instanceId),
    knock: (address, port) => knock(state, address, port),
    onContainerChange: (listener) => void state.listeners.push(listener),
  };
}

function start(state: State, container: Container): void {
  const { id, instanceId, podKey, address } = container;
  state.byId.set(id, container);
  for (const [groups, group] of groupsOf(state, container)) groups.set(group, (groups.get(group) ?? new Set()).add(id));
  if (address !== state.fleet.instance(instanceId)?.address) state.byAddress.set(address, { instanceId, podKey });
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

function crash(state: State, containerId: string, exitCode: number): void {
  const at = state.now();
  change(state, containerId, (container) => ({ ...container, closesAt: at, exitsAt: at, exitCode }));
  const podKey = state.byId.get(containerId)?.podKey;
  if (podKey !== undefined) for (const listener of state.listeners) listener(podKey);
}

function remove(state: State, containerId: string): void {
  const container = state.byId.get(containerId);
  if (container === undefined) return;
  state.byId.delete(containerId);
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

function knock(state: State, address: string, port: number): Knock {
  const at = state.now();
  const known = state.byAddress.get(address);
  const instance = known && state.fleet.instance(known.instanceId);
  if (known === undefined || instance === undefined || !isPoweredOn(instance, at)) return { answer: 'silence' };
  for (const id of state.byPod.get(known.podKey) ?? []) {
    const container = state.byId.get(id);
    if (container?.address === address && listensOn(container, port, at)) return { answer: 'accepts', container };
  }
  return refused;
}

const refused: Knock = { answer: 'refuses' };

/** Each instance has 250 addresses for pods, given out in turn: one that is free again is not given at once. */
const addressesPerInstance = 250;

function podAddress(state: State, instanceId: string): string {
  const ordinal = state.fleet.instance(instanceId)?.ordinal ?? 0;
  const prefix = `10.${64 + (ordinal >> 8)}.${ordinal & 255}`;
  let last = state.lastGiven.get(instanceId) ?? 0;
  for (let tries = 0; tries < addressesPerInstance; tries += 1) {
    last = 1 + (last % addressesPerInstance);
    if (!isInUse(state, `${prefix}.${last}`)) break;
  }
  state.lastGiven.set(instanceId, last);
  return `${prefix}.${last}`;
}

function isInUse(state: State, address: string): boolean {
  const podKey = state.byAddress.get(address)?.podKey ?? '';
  return members(state, state.byPod, podKey).some((container) => container.address === address);
}
