import { answer, type Response, secondsPerRequest } from '../../data-plane/application.ts';
import type { Connection, Path } from '../../data-plane/dial.ts';
import type { Address } from '../../data-plane/endpoint-propagation.ts';
import type { Passing } from '../../data-plane/front-door.ts';
import type { RequestDeadline } from '../../data-plane/request-deadline.ts';
import { type Request, routed } from '../../data-plane/routes.ts';
import type { Container } from '../../machines/containers.ts';
import { draw } from '../../time/delays.ts';
import { keep, type ProxyWorker, takeKept, workersOf } from '../proxy-worker.ts';
import { configuredAt, type Link, linkNow } from './configuration.ts';
import { failAll, failedByAttempt, type Pools, poolOf, routeTimeout } from './pool.ts';

/** What one Envoy remembers. */
export interface Envoy {
  link?: Link;
  /** Requests that have a connection, by endpoint, of all its workers: those that wait for one are not counted. */
  readonly active: Map<string, number>;
  readonly workers: EnvoyWorker[];
}

interface EnvoyWorker extends Pick<ProxyWorker, 'kept'> {
  readonly pools: Pools;
}

export type Envoys = Map<string, Envoy>;

/** An Envoy with the defaults of Envoy Gateway: it tries one endpoint, once (docs/front-doors.md). */
export async function proxy(
  passing: Passing,
  envoys: Envoys,
  { container, share }: Connection,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  passing.meter.spend(container.id, secondsPerRequest);
  const envoy: Envoy = envoys.get(container.id) ?? { active: new Map(), workers: [] };
  envoys.set(container.id, envoy);
  envoy.link = linkNow(passing, envoy.link, container);
  const upstream = upstreamOf(passing, configuredAt(envoy.link, passing.now()), container, request);
  if (upstream === undefined) return { status: 404, body: '' };
  const address = leastRequested(envoy.active, upstream.addresses, passing.random);
  if (address === undefined) return noHealthyUpstream;
  const index = Math.floor(share * workersOf(passing, container));
  const worker = envoy.workers[index] ?? { kept: [], pools: new Map() };
  envoy.workers[index] = worker;
  return ask({ passing, envoy, worker, address, port: upstream.port, request, deadline });
}

const noHealthyUpstream: Response = { status: 503, body: 'no healthy upstream' };
const notConnected: Response = { status: 503, body: 'upstream connect error or disconnect/reset before headers' };
const timedOut: Response = { status: 504, body: 'upstream request timeout' };

interface Upstream {
  readonly addresses: readonly Address[];
  readonly port: number;
}

/**
 * What is terminating or not ready is draining, and gets no request while another is ready. With none ready Envoy
 * panics: it asks all that are left, those too that do not listen yet (Envoy, "Panic threshold"; Envoy Gateway,
 * `getIREndpointsFromEndpointSlice`).
 */
export function upstreamOf(
  path: Path & Pick<Passing, 'delays'>,
  at: number,
  proxy: Container,
  request: Request,
): Upstream | undefined {
  const knownAt = at - 1000 * pushSeconds(path, proxy);
  const backend = routed(path.propagation.ingressesOf(knownAt), request);
  if (backend === undefined) return undefined;
  const { serviceKey } = backend;
  const endpoints = path.propagation.at(serviceKey, knownAt);
  const name = typeof backend.port === 'string' ? backend.port : path.propagation.portName(serviceKey, backend.port);
  const port = name === undefined ? undefined : endpoints?.ports[name];
  if (endpoints === undefined || port === undefined) return { addresses: [], port: 0 };
  const { ready, terminating, notServing } = endpoints;
  return { addresses: ready.length > 0 ? ready : [...terminating, ...notServing], port };
}

/** Each proxy has its own place between the two bounds. */
const pushSeconds = ({ delays }: Pick<Passing, 'delays'>, { startsAt }: Container): number =>
  draw(delays.envoyPush, () => (startsAt % 1000) / 1000);

/** Of two that are drawn the one with fewer requests (Envoy, least_request with two choices). */
function leastRequested(
  active: ReadonlyMap<string, number>,
  addresses: readonly Address[],
  random: () => number,
): string | undefined {
  const drawn = () => addresses[Math.floor(random() * addresses.length)]?.address;
  const [one, other] = [drawn(), drawn()];
  if (one === undefined || other === undefined) return undefined;
  return (active.get(other) ?? 0) < (active.get(one) ?? 0) ? other : one;
}

async function counted<T>({ envoy: { active }, address }: Asked, work: Promise<T>): Promise<T> {
  active.set(address, (active.get(address) ?? 0) + 1);
  const done = await work;
  active.set(address, (active.get(address) ?? 1) - 1);
  return done;
}

interface Asked {
  readonly passing: Passing;
  readonly envoy: Envoy;
  readonly worker: EnvoyWorker;
  readonly address: string;
  readonly port: number;
  readonly request: Request;
  readonly deadline: RequestDeadline;
}

async function ask(asked: Asked): Promise<Response | undefined> {
  const { passing, worker, address, port, deadline } = asked;
  const kept = takeKept(worker, passing, address, port, keptSeconds);
  if (kept?.state === 'half-open') return (await counted(asked, routeTimeout(deadline))) ? timedOut : undefined;
  if (kept !== undefined) return counted(asked, answered(asked, kept.container));
  const result = passing.machines.connect(address, port);
  if (result.outcome === 'accepted') return counted(asked, answered(asked, result.container));
  const pool = poolOf(worker.pools, address);
  if (result.outcome === 'dropped') return waitInVain(asked, result.unreachableAt);
  failAll(pool);
  return notConnected;
}

/** Idle connections to endpoints are kept for an hour (Envoy, idle_timeout). */
const keptSeconds = 3600;

async function answered({ passing, worker, address, port, request, deadline }: Asked, container: Container) {
  const response = await answer(passing, container, request, deadline);
  if (response !== undefined) keep(worker, { container, address, port, usedAt: passing.now() });
  return response;
}

async function waitInVain({ passing, worker, address, deadline }: Asked, unreachableAt: number | undefined) {
  const unreachableSeconds = ((unreachableAt ?? Number.POSITIVE_INFINITY) - passing.now()) / 1000;
  const attemptSeconds = Math.min(draw(passing.delays.envoyConnectTimeout, passing.random), unreachableSeconds);
  const ended = routeTimeout(deadline);
  if (await failedByAttempt(passing, poolOf(worker.pools, address), attemptSeconds, ended)) return notConnected;
  return (await ended) ? timedOut : undefined;
}
