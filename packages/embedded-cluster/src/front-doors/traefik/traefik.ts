import { answer, type Response, secondsPerRequest } from '../../data-plane/application.ts';
import type { Connection, Path } from '../../data-plane/dial.ts';
import type { FrontDoor, Passing } from '../../data-plane/front-door.ts';
import type { RequestDeadline } from '../../data-plane/request-deadline.ts';
import { type Request, routed } from '../../data-plane/routes.ts';
import type { Container } from '../../machines/containers.ts';
import { draw } from '../../time/delays.ts';
import { afterOneTry } from '../after-one-try.ts';
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

/** It tries one endpoint, once; they take turns. */
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
  const { address } = nextInTurn(worker, upstream.serviceKey, upstream.addresses, passing.random);
  return ask({ passing, worker, address, port: upstream.port, request, deadline });
}

/** A terminating endpoint gets no new request; a Service without any is answered with 503 (`allowEmptyServices`). */
function upstreamOf(path: Path, container: Container, request: Request) {
  const knownAt = path.propagation.gatheredAt({ id: container.id, startedAt: container.listensAt });
  const backend = routed(path.propagation.ingressesOf(knownAt), request);
  if (backend === undefined) return undefined;
  const { serviceKey } = backend;
  const endpoints = path.propagation.at(serviceKey, knownAt);
  const name = typeof backend.port === 'string' ? backend.port : path.propagation.portName(serviceKey, backend.port);
  const port = name === undefined ? undefined : endpoints?.ports[name];
  return { serviceKey, addresses: (port !== undefined && endpoints?.ready) || [], port: port ?? 0 };
}

interface Asked {
  readonly passing: Passing;
  readonly worker: ProxyWorker;
  readonly address: string;
  readonly port: number;
  readonly request: Request;
  readonly deadline: RequestDeadline;
}

async function ask(asked: Asked): Promise<Response | undefined> {
  const { passing, worker, address, port, deadline } = asked;
  const kept = takeKept(worker, passing, address, port, keptSeconds);
  // Nothing ends it before the kernel does, after a quarter of an hour (tcp(7), tcp_retries2).
  if (kept?.state === 'half-open') return (await deadline.sleep(kernelGivesUpSeconds)) ? failure(502) : undefined;
  if (kept !== undefined) return answered(asked, kept.container);
  const result = passing.machines.connect(address, port);
  if (result.outcome === 'accepted') return answered(asked, result.container);
  if (result.outcome === 'refused') return failure(502);
  const unreachableSeconds = ((result.unreachableAt ?? Number.POSITIVE_INFINITY) - passing.now()) / 1000;
  const dialSeconds = draw(passing.delays.traefikDialTimeout, passing.random);
  if (!(await deadline.sleep(Math.min(dialSeconds, unreachableSeconds)))) return undefined;
  return failure(unreachableSeconds < dialSeconds ? 502 : 504);
}

/** Traefik: serversTransport.forwardingTimeouts.idleConnTimeout. */
const keptSeconds = 90;
const kernelGivesUpSeconds = 924;

async function answered({ passing, worker, address, port, request, deadline }: Asked, container: Container) {
  const response = await answer(passing, container, request, deadline);
  if (response !== undefined) keep(worker, { container, address, port, usedAt: passing.now() });
  return response;
}

const bodies: Readonly<Record<number, string>> = {
  404: '404 page not found',
  502: 'Bad Gateway',
  503: 'no available server',
  504: 'Gateway Timeout',
};

const failure = (status: number): Response => ({ status, body: bodies[status] ?? '' });
