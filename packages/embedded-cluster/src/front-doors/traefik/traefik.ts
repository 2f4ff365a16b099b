import { answer, type Response, secondsPerRequest } from '../../data-plane/application.ts';
import type { Connection, Path } from '../../data-plane/dial.ts';
import type { Address } from '../../data-plane/endpoint-propagation.ts';
import type { FrontDoor, Passing } from '../../data-plane/front-door.ts';
import type { RequestDeadline } from '../../data-plane/request-deadline.ts';
import { type Request, routed } from '../../data-plane/routes.ts';
import type { Container } from '../../machines/containers.ts';
import { draw } from '../../time/delays.ts';
import { afterOneTry } from '../after-one-try.ts';
import { type DoorPolicy, policyOf } from '../policy.ts';
import { keep, nextInTurn, type ProxyWorker, type ProxyWorkers, takeKept, workerOf } from '../proxy-worker.ts';
import { image, objects } from './objects.ts';

/** Traefik with the defaults of its chart, as measured (docs/front-doors.md, "Traefik"). */
export const traefik: FrontDoor = {
  name: 'traefik',
  images: [image],
  objects,
  program: 'traefik',
  controlPlane: 'traefik',
  open: () => {
    const workers: ProxyWorkers = new Map();
    return {
      answer: (passing, connection, request, deadline) => proxy(passing, workers, connection, request, deadline),
      truth: (path, container, request) => afterOneTry(path, upstreamOf(path, container, request)),
    };
  },
};

/** It tries one endpoint, once, unless a middleware has it try more; they take turns. */
async function proxy(
  passing: Passing,
  workers: ProxyWorkers,
  { container }: Connection,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  passing.meter.spend(container.id, secondsPerRequest);
  const upstream = upstreamOf(passing, container, request);
  if (upstream === undefined) return failure(404);
  if (upstream.addresses.length === 0) return failure(503);
  const worker = workerOf(workers, container.id, 0);
  return tries({ passing, worker, upstream, request, deadline });
}

async function tries(asking: Asking): Promise<Response | undefined> {
  const { serviceKey, addresses, policy } = asking.upstream;
  for (let retries = policy.retries ?? 0; ; retries -= 1) {
    const { address } = nextInTurn(asking.worker, serviceKey, addresses, asking.passing.random);
    const answered = await ask({ ...asking, address });
    if (typeof answered !== 'string') return answered;
    if (retries === 0) return failure(answered === 'unconnected' ? 502 : 504);
  }
}

interface Upstream {
  readonly serviceKey: string;
  readonly addresses: readonly Address[];
  readonly port: number;
  readonly policy: DoorPolicy;
}

/** A terminating endpoint gets no new request; a Service without any is answered with 503 (`allowEmptyServices`). */
function upstreamOf(path: Path, container: Container, request: Request): Upstream | undefined {
  const knownAt = path.propagation.gatheredAt({ id: container.id, startedAt: container.listensAt });
  const backend = routed(path.propagation.ingressesOf(knownAt), request);
  if (backend === undefined) return undefined;
  const { serviceKey } = backend;
  const policy = policyOf(backend.annotations);
  const endpoints = path.propagation.at(serviceKey, knownAt);
  const name = typeof backend.port === 'string' ? backend.port : path.propagation.portName(serviceKey, backend.port);
  const port = name === undefined ? undefined : endpoints?.ports[name];
  return { serviceKey, policy, addresses: (port !== undefined && endpoints?.ready) || [], port: port ?? 0 };
}

interface Asking {
  readonly passing: Passing;
  readonly worker: ProxyWorker;
  readonly upstream: Upstream;
  readonly request: Request;
  readonly deadline: RequestDeadline;
}

interface Asked extends Asking {
  readonly address: string;
}

/** A request that was written is never tried again (Traefik, pkg/middlewares/retry). */
async function ask(asked: Asked): Promise<Response | undefined | 'unconnected' | 'unconnected in time'> {
  const { passing, worker, address, upstream, deadline } = asked;
  const { port, policy } = upstream;
  const kept = takeKept(worker, passing, address, port, keptSeconds);
  // Nothing ends it before the kernel does, after a quarter of an hour (tcp(7), tcp_retries2).
  if (kept?.state === 'half-open') return (await deadline.sleep(kernelGivesUpSeconds)) ? failure(502) : undefined;
  if (kept !== undefined) return answered(asked, kept.container);
  const result = passing.machines.connect(address, port);
  if (result.outcome === 'accepted') return answered(asked, result.container);
  if (result.outcome === 'refused') return 'unconnected';
  const unreachableSeconds = ((result.unreachableAt ?? Number.POSITIVE_INFINITY) - passing.now()) / 1000;
  const usualSeconds = draw(passing.delays.traefikDialTimeout, passing.random);
  const dialSeconds = policy.connectTimeoutSeconds ?? usualSeconds;
  if (!(await deadline.sleep(Math.min(dialSeconds, unreachableSeconds)))) return undefined;
  return unreachableSeconds < dialSeconds ? 'unconnected' : 'unconnected in time';
}

/** Traefik: serversTransport.forwardingTimeouts.idleConnTimeout. */
const keptSeconds = 90;
const kernelGivesUpSeconds = 924;

async function answered(asked: Asked, container: Container) {
  const { passing, worker, address, upstream, request, deadline } = asked;
  const response = await answer(passing, container, request, deadline);
  if (response !== undefined) keep(worker, { container, address, port: upstream.port, usedAt: passing.now() });
  return response;
}

const bodies: Readonly<Record<number, string>> = {
  404: '404 page not found',
  502: 'Bad Gateway',
  503: 'no available server',
  504: 'Gateway Timeout',
};

const failure = (status: number): Response => ({ status, body: bodies[status] ?? '' });
