import type { Endpoint, EndpointSlice, Ingress } from '../kubernetes/resources.ts';
import type { Cache } from '../objects/cache.ts';
import { serviceNameLabel } from '../objects/names.ts';
import { randomStreams } from '../outside/random.ts';
import type { Delays } from '../time/delays.ts';

/**
 * How EndpointSlices and Ingresses reach the processes on the request path. Nothing runs here: the instants at which a
 * watcher syncs follow from the changes and from its rate limit, and a watcher has the state of its last sync before
 * now.
 */
export interface EndpointPropagation {
  /** The Service's endpoints as that kube-proxy last wrote them into the kernel. */
  atKubeProxy(proxy: Watcher, serviceKey: string): Endpoints | undefined;
  /** The Service's endpoints as that nginx worker of an ingress controller last read them. */
  atIngressWorker(controller: Watcher, worker: number, serviceKey: string): Endpoints | undefined;
  /** The Ingresses in that ingress controller's configuration. */
  ingressesAt(controller: Watcher): readonly Ingress[];
  /** The Service's endpoints, and the Ingresses, as they were at that instant (epoch milliseconds). */
  at(serviceKey: string, at: number): Endpoints | undefined;
  ingressesOf(at: number): readonly Ingress[];
  /** The instant of what a proxy knows that gathers changes for a time after the first (Traefik's provider). */
  gatheredAt(proxy: Watcher): number;
  /** The name of the Service's port of that number, as `Endpoints.ports` has it; undefined if it has no such port. */
  portName(serviceKey: string, port: number): string | undefined;
}

/** A process that watches the API; instants in epoch milliseconds. */
export interface Watcher {
  readonly id: string;
  /** Its first sync. */
  readonly startedAt: number;
  /** Its exit, if it has exited: it does not sync any more. */
  readonly endedAt?: number | undefined;
}

/** The endpoints of a Service. */
export interface Endpoints {
  readonly ready: readonly Address[];
  /** Terminating, but still serving. */
  readonly terminating: readonly Address[];
  /** Neither: not ready yet, not ready any more, or terminating and not serving. */
  readonly notServing: readonly Address[];
  /** Port numbers by port name; '' is the name of a Service's only port. */
  readonly ports: Readonly<Record<string, number>>;
}

export interface Address {
  readonly address: string;
  readonly nodeName?: string | undefined;
  readonly podKey: string;
}

/** Versions by instant, oldest first. */
interface Versions<T> {
  entries: readonly { readonly at: number; readonly value: T }[];
}

/** The changes that make watchers of one kind sync, and the syncs of each watcher. */
interface Syncs {
  readonly periodMs: number;
  /** The last changes, and how many there were in all. */
  changes: readonly number[];
  count: number;
  readonly byWatcher: Map<string, Turns>;
}

/**
 * When one watcher syncs: first at its start, then at once after a change, but no sooner than the period after its last
 * sync.
 */
interface Turns {
  instants: readonly number[];
  /** How many changes were counted in. */
  seen: number;
}

/** Longer than the longest lag on the path: no watcher has an older version. */
const retainedMs = 60_000;

export function createEndpointPropagation(cache: Cache, now: () => number, delays: Delays): EndpointPropagation {
  const services = new Map<string, Versions<Endpoints>>();
  const routes: Versions<readonly Ingress[]> = { entries: [] };
  const proxySyncs = syncsEvery(delays.kubeProxySync.seconds[0]);
  const ingressSyncs = syncsEvery(delays.ingressSync.seconds[0]);
  const gatheringSyncs = syncsEvery(delays.traefikSync.seconds[0]);
  cache.subscribe('EndpointSlice', ({ type, object }) => {
    const key = `${object.metadata.namespace}/${object.metadata.labels?.[serviceNameLabel]}`;
    const versions = services.get(key) ?? { entries: [] };
    services.set(key, versions);
    push(versions, type === 'deleted' ? noEndpoints : endpointsOf(object), now());
    noteChange(proxySyncs, now());
    noteChange(ingressSyncs, now());
    noteChange(gatheringSyncs, now());
  });
  cache.subscribe('Service', () => noteChange(ingressSyncs, now()));
  cache.subscribe('Ingress', () => {
    push(routes, [...cache.list('Ingress')], now());
    noteChange(ingressSyncs, now());
    noteChange(gatheringSyncs, now());
  });
  const ingressSync = (controller: Watcher, at: number) =>
    syncBefore(ingressSyncs, controller, at - delayMsOf(controller.id, delays.ingressApply));
  return {
    atKubeProxy: (proxy, serviceKey) => {
      const at = Math.min(now(), proxy.endedAt ?? now());
      return versionAt(
        services.get(serviceKey),
        syncBefore(proxySyncs, proxy, at - delayMsOf(proxy.id, delays.kubeProxyApply)),
      );
    },
    atIngressWorker: (controller, worker, serviceKey) => {
      const pollMs = 1000 * delays.ingressWorkerPoll.seconds[0];
      const phase = pollMs * fractionOf(`${controller.id} ${worker}`);
      const polledAt = Math.max(controller.startedAt, Math.floor((now() - phase) / pollMs) * pollMs + phase);
      return versionAt(services.get(serviceKey), ingressSync(controller, polledAt));
    },
    portName: (serviceKey, wanted) => {
      const found = cache.get('Service', serviceKey)?.spec.ports?.find(({ port }) => port === wanted);
      return found && (found.name ?? '');
    },
    ingressesAt: (controller) => versionAt(routes, ingressSync(controller, now())) ?? [],
    at: (serviceKey, at) => versionAt(services.get(serviceKey), at),
    ingressesOf: (at) => versionAt(routes, at) ?? [],
    gatheredAt: (proxy) => syncBefore(gatheringSyncs, proxy, now() - delayMsOf(proxy.id, delays.traefikApply)),
  };
}

const noEndpoints: Endpoints = { ready: [], terminating: [], notServing: [], ports: {} };

function endpointsOf({ endpoints, ports }: EndpointSlice): Endpoints {
  const addresses = (which: (conditions: NonNullable<Endpoint['conditions']>) => boolean) =>
    (endpoints ?? [])
      .filter(({ conditions }) => which(conditions ?? {}))
      .map((endpoint) => ({
        address: endpoint.addresses[0] ?? '',
        nodeName: endpoint.nodeName,
        podKey: `${endpoint.targetRef?.namespace}/${endpoint.targetRef?.name}`,
      }));
  return {
    ready: addresses(({ ready }) => ready === true),
    terminating: addresses(isServingOn),
    notServing: addresses((conditions) => conditions.ready !== true && !isServingOn(conditions)),
    ports: Object.fromEntries((ports ?? []).map(({ name, port }) => [name ?? '', port ?? 0])),
  };
}

const isServingOn = ({ serving, terminating }: NonNullable<Endpoint['conditions']>): boolean =>
  serving === true && terminating === true;

function push<T>(versions: Versions<T>, value: T, at: number): void {
  const firstNeeded = versions.entries.findLastIndex((entry) => entry.at <= at - retainedMs);
  versions.entries = [...versions.entries.slice(Math.max(0, firstNeeded)), { at, value }];
}

const syncsEvery = (periodSeconds: number): Syncs => ({
  periodMs: 1000 * periodSeconds,
  changes: [],
  count: 0,
  byWatcher: new Map(),
});

function noteChange(syncs: Syncs, at: number): void {
  syncs.changes = [...needed(syncs.changes, at), at];
  syncs.count += 1;
}

/** The instants within the retained time, and the one before. */
function needed(instants: readonly number[], at: number): readonly number[] {
  return instants.slice(
    Math.max(
      0,
      instants.findLastIndex((instant) => instant <= at - retainedMs),
    ),
  );
}

/** The watcher's last sync before that instant; its first one, when nothing has changed since. */
function syncBefore(syncs: Syncs, watcher: Watcher, at: number): number {
  const { instants } = turnsOf(syncs, watcher);
  return instants.findLast((instant) => instant <= at) ?? watcher.startedAt;
}

/** A change that comes while a sync is scheduled is part of that sync. */
function turnsOf({ byWatcher, changes, count, periodMs }: Syncs, { id, startedAt }: Watcher): Turns {
  const turns = byWatcher.get(id) ?? { instants: [startedAt], seen: 0 };
  if (turns.seen === count) return turns;
  const instants = [...turns.instants];
  for (const change of changes.slice(Math.max(0, changes.length - (count - turns.seen)))) {
    const last = instants.at(-1) ?? startedAt;
    if (last <= change) instants.push(Math.max(change, last + periodMs));
  }
  const next = { instants: needed(instants, changes.at(-1) ?? startedAt), seen: count };
  byWatcher.set(id, next);
  return next;
}

function versionAt<T>(versions: Versions<T> | undefined, at: number): T | undefined {
  return (versions?.entries.findLast((entry) => entry.at <= at) ?? versions?.entries[0])?.value;
}

/** The delay of that process, milliseconds: drawn once between the two ends. */
function delayMsOf(id: string, { seconds }: Delays[keyof Delays]): number {
  return 1000 * (seconds[0] + (seconds[1] - seconds[0]) * fractionOf(id));
}

/** Part of what a seed determines: with another name the same seed gives another run. */
const stream = 'learner';

const fractions = new Map<string, number>();

/** The process's own random number in [0, 1). */
function fractionOf(id: string): number {
  const known = fractions.get(id);
  if (known !== undefined) return known;
  const drawn = randomStreams(id)(stream)();
  fractions.set(id, drawn);
  return drawn;
}
