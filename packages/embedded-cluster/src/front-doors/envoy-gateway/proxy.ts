import { answer, type Response, secondsPerRequest } from '../../data-plane/application.ts';
import type { Connection, Path } from '../../data-plane/dial.ts';
import type { Address } from '../../data-plane/endpoint-propagation.ts';
import type { Passing } from '../../data-plane/front-door.ts';
import type { RequestDeadline } from '../../data-plane/request-deadline.ts';
import { type Request, routed } from '../../data-plane/routes.ts';
import type { Container } from '../../machines/containers.ts';
import { draw } from '../../time/delays.ts';
import { type DoorPolicy, policyOf } from '../policy.ts';
import { keep, type ProxyWorker, takeKept, workersOf } from '../proxy-worker.ts';
import { configuredAt, type Link, linkNow } from './configuration.ts';
import { count, notEjected, type Outliers } from './outliers.ts';
import { failAll, failedByAttempt, type Pools, poolOf, routeTimeoutSeconds } from './pool.ts';

/** What one Envoy remembers. */
export interface Envoy {
  link?: Link;
  /** Requests that have a connection, by endpoint, of all its workers: those that wait for one are not counted. */
  readonly active: Map<string, number>;
  readonly outliers: Outliers;
  readonly workers: EnvoyWorker[];
}

interface EnvoyWorker extends Pick<ProxyWorker, 'kept'> {
  readonly pools: Pools;
}

export type Envoys = Map<string, Envoy>;

/**
 * An Envoy with the defaults of Envoy Gateway: it tries one endpoint, once, unless a policy has it try more
 * (docs/front-doors.md).
 */
export async function proxy(
  passing: Passing,
  envoys: Envoys,
  { container, share }: Connection,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  passing.meter.spend(container.id, secondsPerRequest);
  const envoy: Envoy = envoys.get(container.id) ?? { active: new Map(), outliers: new Map(), workers: [] };
  envoys.set(container.id, envoy);
  envoy.link = linkNow(passing, envoy.link, container);
  const upstream = upstreamOf(passing, configuredAt(envoy.link, passing.now()), container, request);
  if (upstream === undefined) return { status: 404, body: '' };
  const index = Math.floor(share * workersOf(passing, container));
  const worker = envoy.workers[index] ?? { kept: [], pools: new Map() };
  envoy.workers[index] = worker;
  const endsAt = deadline.elapsedSeconds() + (upstream.policy.requestTimeoutSeconds ?? routeTimeoutSeconds);
  return tries({ passing, envoy, worker, request, deadline, endsAt, upstream });
}

async function tries(asking: Asking): Promise<Response | undefined> {
  const { passing, envoy, deadline, upstream } = asking;
  const tried: string[] = [];
  for (let retries = upstream.policy.retries ?? 0; ; retries -= 1) {
    const address = leastRequested(envoy, upstream, tried, passing);
    if (address === undefined) return noHealthyUpstream;
    const response = await counted({ ...asking, address });
    if (response?.status !== 503 || retries === 0) return response;
    tried.push(address);
    if (!(await deadline.sleep(retryBaseSeconds * passing.random()))) return undefined;
  }
}

async function counted(asked: Asked): Promise<Response | undefined> {
  const { passing, envoy, upstream, address } = asked;
  const response = await ask(asked);
  const isFailure = response === undefined || response.status >= 500;
  const of = upstream.addresses.length;
  count(envoy.outliers, upstream.policy, { address, isFailure, of, at: passing.now() });
  return response;
}

/** Envoy: `retry_back_off`, 25 ms and a random part of it. */
const retryBaseSeconds = 0.025;

const noHealthyUpstream: Response = { status: 503, body: 'no healthy upstream' };
const notConnected: Response = { status: 503, body: 'upstream connect error or disconnect/reset before headers' };
const timedOut: Response = { status: 504, body: 'upstream request timeout' };

interface Upstream {
  readonly addresses: readonly Address[];
  readonly port: number;
  readonly policy: DoorPolicy;
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
  const policy = policyOf(backend.annotations);
  const endpoints = path.propagation.at(serviceKey, knownAt);
  const name = typeof backend.port === 'string' ? backend.port : path.propagation.portName(serviceKey, backend.port);
  const port = name === undefined ? undefined : endpoints?.ports[name];
  if (endpoints === undefined || port === undefined) return { addresses: [], port: 0, policy };
  const { ready, terminating, notServing } = endpoints;
  return { addresses: ready.length > 0 ? ready : [...terminating, ...notServing], port, policy };
}

/** Each proxy has its own place between the two bounds. */
const pushSeconds = ({ delays }: Pick<Passing, 'delays'>, { startsAt }: Container): number =>
  draw(delays.envoyPush, () => (startsAt % 1000) / 1000);

/**
 * Of two that are drawn the one with fewer requests (Envoy, least_request with two choices). Where that was tried
 * before, it draws again up to five times (`previous_hosts`, `host_selection_retry_max_attempts`).
 */
function leastRequested(
  { active, outliers }: Envoy,
  { addresses }: Upstream,
  tried: readonly string[],
  { now, random }: Passing,
): string | undefined {
  const open = notEjected(outliers, addresses, now());
  const drawn = () => open[Math.floor(random() * open.length)]?.address;
  let chosen: string | undefined;
  for (let draws = 0; draws <= mostDraws; draws += 1) {
    const [one, other] = [drawn(), drawn()];
    if (one === undefined || other === undefined) return undefined;
    chosen = (active.get(other) ?? 0) < (active.get(one) ?? 0) ? other : one;
    if (!tried.includes(chosen)) break;
  }
  return chosen;
}

const mostDraws = 5;

async function active<T>({ envoy, address }: Asked, work: Promise<T>): Promise<T> {
  envoy.active.set(address, (envoy.active.get(address) ?? 0) + 1);
  const done = await work;
  envoy.active.set(address, (envoy.active.get(address) ?? 1) - 1);
  return done;
}

interface Asking {
  readonly passing: Passing;
  readonly envoy: Envoy;
  readonly worker: EnvoyWorker;
  readonly upstream: Upstream;
  readonly request: Request;
  readonly deadline: RequestDeadline;
  /** When the route's time is over, by the deadline's clock. */
  readonly endsAt: number;
}

interface Asked extends Asking {
  readonly address: string;
}

async function ask(asked: Asked): Promise<Response | undefined> {
  const { passing, worker, address, upstream } = asked;
  const { port } = upstream;
  const kept = takeKept(worker, passing, address, port, keptSeconds);
  if (kept?.state === 'half-open') return (await active(asked, routeTimeout(asked))) ? timedOut : undefined;
  if (kept !== undefined) return active(asked, answered(asked, kept.container));
  const result = passing.machines.connect(address, port);
  if (result.outcome === 'accepted') return active(asked, answered(asked, result.container));
  const pool = poolOf(worker.pools, address);
  if (result.outcome === 'dropped') return waitInVain(asked, result.unreachableAt);
  failAll(pool);
  return notConnected;
}

/** Idle connections to endpoints are kept for an hour (Envoy, idle_timeout). */
const keptSeconds = 3600;

async function answered(asked: Asked, container: Container) {
  const { passing, worker, address, upstream, request, deadline } = asked;
  const response = await answer(passing, container, request, deadline);
  if (response !== undefined) keep(worker, { container, address, port: upstream.port, usedAt: passing.now() });
  return response;
}

async function waitInVain(asked: Asked, unreachableAt: number | undefined) {
  const { passing, worker, address, upstream } = asked;
  const unreachableSeconds = ((unreachableAt ?? Number.POSITIVE_INFINITY) - passing.now()) / 1000;
  const usualSeconds = draw(passing.delays.envoyConnectTimeout, passing.random);
  const attemptSeconds = Math.min(upstream.policy.connectTimeoutSeconds ?? usualSeconds, unreachableSeconds);
  const ended = routeTimeout(asked);
  if (await failedByAttempt(passing, poolOf(worker.pools, address), attemptSeconds, ended)) return notConnected;
  return (await ended) ? timedOut : undefined;
}

/** Until the route's time is over: true; or the client's: false. */
const routeTimeout = ({ deadline, endsAt }: Pick<Asked, 'deadline' | 'endsAt'>): Promise<boolean> =>
  deadline.sleep(Math.max(0, endsAt - deadline.elapsedSeconds()));
