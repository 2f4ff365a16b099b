import { answer, failure, type Response, secondsPerRequest } from '../../data-plane/application.ts';
import type { Connection } from '../../data-plane/dial.ts';
import type { Passing } from '../../data-plane/front-door.ts';
import type { RequestDeadline } from '../../data-plane/request-deadline.ts';
import type { Request } from '../../data-plane/routes.ts';
import type { Container } from '../../machines/containers.ts';
import { draw } from '../../time/delays.ts';
import {
  keep,
  nextInTurn,
  type ProxyWorker,
  type ProxyWorkers,
  takeKept,
  workerOf,
  workersOf,
} from '../proxy-worker.ts';
import { type Upstream, upstreamOf } from './upstream.ts';

/**
 * The ingress controller's nginx: the worker that accepted the connection routes by the Ingress rules and asks its own
 * endpoints.
 */
export async function proxy(
  proxying: Passing,
  workers: ProxyWorkers,
  { container, share }: Connection,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  proxying.meter.spend(container.id, secondsPerRequest);
  const index = Math.floor(share * workersOf(proxying, container));
  const worker = workerOf(workers, container.id, index);
  let upstream = upstreamOf(proxying, container, request, index);
  if (upstream === undefined) return failure(404);
  if (upstream.addresses.length === 0) return failure(503);
  let status = 502;
  for (let attempt = 0; attempt < upstream.tries.most; attempt += 1) {
    upstream = attempt === 0 ? upstream : newest(upstream, upstreamOf(proxying, container, request, index));
    const tried = await tryNext({ proxying, worker, upstream, request, deadline });
    if (typeof tried !== 'number') return tried;
    status = tried;
    if (!isTriedAgain(upstream, tried)) break;
  }
  return failure(status);
}

const isTriedAgain = ({ tries }: Upstream, status: number): boolean =>
  status === 504 ? tries.afterTimeout : tries.afterError;

/** A request under way keeps the endpoints of a backend that was emptied. */
const newest = (known: Upstream, now: Upstream | undefined): Upstream =>
  now === undefined || now.addresses.length === 0 ? known : now;

interface Try {
  readonly proxying: Passing;
  readonly worker: ProxyWorker;
  readonly upstream: Upstream;
  readonly request: Request;
  readonly deadline: RequestDeadline;
}

/**
 * The endpoint's response; the status if this was the last try: 502 refused or unreachable, 504 timeout; undefined: the
 * client gave up.
 */
async function tryNext(one: Try): Promise<Response | number | undefined> {
  const { proxying, worker, upstream, deadline } = one;
  const { address } = nextInTurn(worker, upstream.serviceKey, upstream.addresses, proxying.random);
  const kept = takeKept(worker, proxying, address, upstream.port);
  if (kept?.state === 'half-open') return (await deadline.sleep(upstream.tries.readTimeoutSeconds)) ? 504 : undefined;
  if (kept !== undefined) return ask(one, kept.container, address);
  const result = proxying.machines.connect(address, upstream.port);
  if (result.outcome === 'accepted') return ask(one, result.container, address);
  if (result.outcome === 'refused') return 502;
  return waitInVain(one, result.unreachableAt);
}

/** For the connect timeout, or until the kernel finds that there is no route to the host. */
async function waitInVain(
  { proxying: { delays, random, now }, upstream: { tries }, deadline }: Try,
  unreachableAt: number | undefined,
): Promise<number | undefined> {
  const usualSeconds = draw(delays.ingressConnectTimeout, random);
  const timeoutSeconds = tries.connectTimeoutSeconds ?? usualSeconds;
  const unreachableSeconds = ((unreachableAt ?? Number.POSITIVE_INFINITY) - now()) / 1000;
  if (!(await deadline.sleep(Math.min(timeoutSeconds, unreachableSeconds)))) return undefined;
  return unreachableSeconds < timeoutSeconds ? 502 : 504;
}

async function ask(
  { proxying, worker, upstream: { port }, request, deadline }: Try,
  container: Container,
  address: string,
): Promise<Response | undefined> {
  const response = await answer(proxying, container, request, deadline);
  if (response !== undefined) keep(worker, { container, address, port, usedAt: proxying.now() });
  return response;
}
