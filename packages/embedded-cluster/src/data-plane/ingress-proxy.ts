import type { Container } from '../machines/containers.ts';
import { draw } from '../time/delays.ts';
import { type Answering, answer, failure, type Response, secondsPerRequest } from './application.ts';
import type { Connection } from './dial.ts';
import { type IngressWorker, type IngressWorkers, keep, nextInTurn, takeKept, workerOf } from './ingress-worker.ts';
import type { RequestDeadline } from './request-deadline.ts';
import { type Request, type Upstream, upstreamOf, workersOf } from './upstream.ts';

export interface Proxying extends Answering {
  readonly workers: IngressWorkers;
}

/** ingress-nginx: proxy-next-upstream "error timeout", proxy-next-upstream-tries 3. */
export const upstreamTries = 3;
/** ingress-nginx: proxy-read-timeout. */
const readTimeoutSeconds = 60;

/**
 * The ingress controller's nginx: the worker that accepted the connection routes by the Ingress rules and asks its own
 * endpoints.
 */
export async function proxy(
  proxying: Proxying,
  { container, share }: Connection,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  proxying.meter.spend(container.id, secondsPerRequest);
  const index = Math.floor(share * workersOf(proxying, container));
  const worker = workerOf(proxying.workers, container.id, index);
  let upstream = upstreamOf(proxying, container, request, index);
  if (upstream === undefined) return failure(404);
  if (upstream.addresses.length === 0) return failure(503);
  let status = 502;
  for (let attempt = 0; attempt < upstreamTries; attempt += 1) {
    upstream = attempt === 0 ? upstream : newest(upstream, upstreamOf(proxying, container, request, index));
    const tried = await tryNext({ proxying, worker, upstream, request, deadline });
    if (typeof tried !== 'number') return tried;
    status = tried;
  }
  return failure(status);
}

/** A request under way keeps the endpoints of a backend that was emptied. */
const newest = (known: Upstream, now: Upstream | undefined): Upstream =>
  now === undefined || now.addresses.length === 0 ? known : now;

interface Try {
  readonly proxying: Proxying;
  readonly worker: IngressWorker;
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
  if (kept?.state === 'half-open') return (await deadline.sleep(readTimeoutSeconds)) ? 504 : undefined;
  if (kept !== undefined) return ask(one, kept.container, address);
  const result = proxying.machines.connect(address, upstream.port);
  if (result.outcome === 'accepted') return ask(one, result.container, address);
  if (result.outcome === 'refused') return 502;
  return waitInVain(proxying, deadline, result.unreachableAt);
}

/** For the connect timeout, or until the kernel finds that there is no route to the host. */
async function waitInVain(
  { delays, random, now }: Proxying,
  deadline: RequestDeadline,
  unreachableAt: number | undefined,
): Promise<number | undefined> {
  const timeoutSeconds = draw(delays.ingressConnectTimeout, random);
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
