import type { Endpoint, EndpointSlice, Ingress } from '../../cluster/resources.ts';
import { randomStreams } from '../../host/random.ts';
import type { Cache } from '../objects/cache.ts';
import { serviceNameLabel } from '../objects/names.ts';
import type { Delays } from '../time/delays.ts';

/**
 * What those on the request path have learned from the API, and when. Nobody here acts: each learner reads the state of
 * its last sync, and its syncs follow from the changes and from its own rate limit, so that any instant can be asked about.
 */
export interface Learned {
  /** As the kube-proxy of that machine last wrote it into its tables. */
  toKubeProxy(learner: Learner, serviceKey: string): Endpoints | undefined;
  /** As that worker of an ingress controller last read it. */
  toIngressWorker(learner: Learner, worker: number, serviceKey: string): Endpoints | undefined;
  /** The Ingress objects as that ingress controller has them in its configuration. */
  ingresses(learner: Learner): readonly Ingress[];
}

/** Who has learned: a process, from its first sync to its end, asked about now. */
export interface Learner {
  readonly id: string;
  readonly startedAt: number;
  /** When it stopped learning, if it did. */
  readonly endedAt?: number | undefined;
}

export interface Endpoints {
  readonly ready: readonly Address[];
  /** On their way out, but still passing their probes. */
  readonly leaving: readonly Address[];
  /** Port numbers by the Service's port names; '' is the only port's. */
  readonly ports: Readonly<Record<string, number>>;
}
export interface Address {
  readonly address: string;
  readonly podKey: string;
}

/** Versions by instant, oldest first. */
interface Versions<T> {
  entries: readonly { readonly at: number; readonly value: T }[];
}

/** When learners of one kind sync: at once after a pause, else a fixed time after the last one. */
interface Syncs {
  readonly leastMs: number;
  instants: readonly number[];
}

/** Older versions than this are asked for by nobody: it is more than the longest lag on the path. */
const rememberedMs = 60_000;

export function createLearned(cache: Cache, now: () => number, delays: Delays): Learned {
  const services = new Map<string, Versions<Endpoints>>();
  const routes: Versions<readonly Ingress[]> = { entries: [] };
  const proxySyncs: Syncs = { leastMs: 1000 * delays.kubeProxySync.seconds[0], instants: [] };
  const ingressSyncs: Syncs = { leastMs: 1000 * delays.ingressSync.seconds[0], instants: [] };
  cache.subscribe('EndpointSlice', ({ type, object }) => {
    const key = `${object.metadata.namespace}/${object.metadata.labels?.[serviceNameLabel]}`;
    const versions = services.get(key) ?? { entries: [] };
    services.set(key, versions);
    push(versions, type === 'deleted' ? nothing : endpointsOf(object), now());
    for (const syncs of [proxySyncs, ingressSyncs]) note(syncs, now());
  });
  cache.subscribe('Ingress', () => {
    push(routes, [...cache.list('Ingress')], now());
    note(ingressSyncs, now());
  });
  const ingressSync = (learner: Learner, at: number) =>
    syncBefore(ingressSyncs, learner, at - share(delays.ingressApply, learner.id));
  return {
    toKubeProxy: (learner, serviceKey) => {
      const at = Math.min(now(), learner.endedAt ?? now());
      return versionAt(
        services.get(serviceKey),
        syncBefore(proxySyncs, learner, at - share(delays.kubeProxyApply, learner.id)),
      );
    },
    toIngressWorker: (learner, worker, serviceKey) => {
      const pollMs = 1000 * delays.ingressWorkerPoll.seconds[0];
      const phase = pollMs * fraction(`${learner.id} ${worker}`);
      const polledAt = Math.max(learner.startedAt, Math.floor((now() - phase) / pollMs) * pollMs + phase);
      return versionAt(services.get(serviceKey), ingressSync(learner, polledAt));
    },
    ingresses: (learner) => versionAt(routes, ingressSync(learner, now())) ?? [],
  };
}

const nothing: Endpoints = { ready: [], leaving: [], ports: {} };

function endpointsOf({ endpoints, ports }: EndpointSlice): Endpoints {
  const addresses = (which: (conditions: NonNullable<Endpoint['conditions']>) => boolean) =>
    (endpoints ?? [])
      .filter(({ conditions }) => which(conditions ?? {}))
      .map((endpoint) => ({
        address: endpoint.addresses[0] ?? '',
        podKey: `${endpoint.targetRef?.namespace}/${endpoint.targetRef?.name}`,
      }));
  return {
    ready: addresses(({ ready }) => ready === true),
    leaving: addresses(({ serving, terminating }) => serving === true && terminating === true),
    ports: Object.fromEntries((ports ?? []).map(({ name, port }) => [name ?? '', port ?? 0])),
  };
}

function push<T>(versions: Versions<T>, value: T, at: number): void {
  const firstNeeded = versions.entries.findLastIndex((entry) => entry.at <= at - rememberedMs);
  versions.entries = [...versions.entries.slice(Math.max(0, firstNeeded)), { at, value }];
}

/** A change that comes while a sync waits for its turn is part of that sync. */
function note(syncs: Syncs, at: number): void {
  const last = syncs.instants.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (last > at) return;
  const firstNeeded = syncs.instants.findLastIndex((instant) => instant <= at - rememberedMs);
  syncs.instants = [...syncs.instants.slice(Math.max(0, firstNeeded)), Math.max(at, last + syncs.leastMs)];
}

/** A learner's last sync before that instant: its first one, when nothing changed since. */
function syncBefore(syncs: Syncs, learner: Learner, at: number): number {
  return Math.max(learner.startedAt, syncs.instants.findLast((instant) => instant <= at) ?? Number.NEGATIVE_INFINITY);
}

function versionAt<T>(versions: Versions<T> | undefined, at: number): T | undefined {
  return (versions?.entries.findLast((entry) => entry.at <= at) ?? versions?.entries[0])?.value;
}

/** A learner's own point between the two ends of a delay, milliseconds: always the same for the same process. */
function share({ seconds }: Delays[keyof Delays], id: string): number {
  return 1000 * (seconds[0] + (seconds[1] - seconds[0]) * fraction(id));
}

const fractions = new Map<string, number>();

/** A number in [0, 1) that belongs to the process. */
function fraction(id: string): number {
  const known = fractions.get(id);
  if (known !== undefined) return known;
  const drawn = randomStreams(id)('learner')();
  fractions.set(id, drawn);
  return drawn;
}
