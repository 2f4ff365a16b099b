import { type Container, killedExitCode } from '../machines/containers.ts';
import type { CpuMeter } from '../machines/cpu-meter.ts';
import { programOf } from '../machines/images.ts';
import type { ApplicationBehaviour } from '../setup/setup.ts';
import { type DelayName, type Delays, draw } from '../time/delays.ts';
import type { Path } from './dial.ts';
import type { Address } from './endpoint-propagation.ts';
import { errorPage, welcomePage } from './pages.ts';
import type { RequestDeadline } from './request-deadline.ts';
import { type Request, type Upstream, upstreamOf, workersOf } from './upstream.ts';

export interface Response {
  readonly status: number;
  readonly body: string;
}

export interface Serving extends Path {
  readonly delays: Delays;
  readonly behaviour: ApplicationBehaviour;
  /** Requests in flight, by container id. */
  readonly inFlight: Map<string, number>;
  readonly meter: Pick<CpuMeter, 'spend'>;
}

/** The response of the process that accepted the connection; undefined when the deadline came first. */
export function serve(
  serving: Serving,
  container: Container,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  if (programOf(container.image).name === 'ingress-nginx') return proxy(serving, container, request, deadline);
  return answer(serving, container, request, deadline);
}

/** CPU time of one request in nginx: about 20,000 small pages a second and core. Requests in flight before it are served first. */
const secondsPerRequest = 1 / 20_000;

async function answer(
  serving: Serving,
  container: Container,
  { path }: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  const { inFlight, behaviour, machines, delays, random, meter } = serving;
  meter.spend(container.id, secondsPerRequest);
  const before = inFlight.get(container.id) ?? 0;
  inFlight.set(container.id, before + 1);
  if (before >= behaviour.crashesFrom) machines.crash(container.id, killedExitCode);
  const isInTime = await deadline.sleep(draw(delays.applicationAnswer, random) + before * secondsPerRequest);
  inFlight.set(container.id, (inFlight.get(container.id) ?? 1) - 1);
  if (!isInTime) return undefined;
  if (before >= behaviour.failsFrom) return failure(500);
  const { pages } = programOf(container.image);
  return pages === undefined || pages.includes(path) ? { status: 200, body: welcomePage } : failure(404);
}

/** ingress-nginx: proxy-next-upstream "error timeout", proxy-next-upstream-tries 3. */
export const upstreamTries = 3;

/** The ingress controller's nginx: routes by the Ingress rules to the endpoints that one worker has. */
function proxy(
  serving: Serving,
  container: Container,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  serving.meter.spend(container.id, secondsPerRequest);
  const worker = Math.floor(serving.random() * workersOf(serving, container));
  const upstream = upstreamOf(serving, container, request, worker);
  if (upstream === undefined) return Promise.resolve(failure(404));
  if (upstream.addresses.length === 0) return Promise.resolve(failure(503));
  return proxyTo(serving, upstream, request, deadline);
}

/** Tries the next endpoint when a connection fails. */
async function proxyTo(
  serving: Serving,
  upstream: Upstream,
  request: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  const first = Math.floor(serving.random() * upstream.addresses.length);
  let status = 502;
  for (let attempt = 0; attempt < upstreamTries; attempt += 1) {
    const { address } = upstream.addresses[(first + attempt) % upstream.addresses.length] as Address;
    const result = serving.machines.connect(address, upstream.port);
    if (result.outcome === 'accepted') return await answer(serving, result.container, request, deadline);
    const isTimeout = result.outcome === 'dropped';
    if (isTimeout && !(await deadline.sleep(seconds(serving, 'ingressConnectTimeout')))) return undefined;
    status = isTimeout ? 504 : 502;
  }
  return failure(status);
}

const seconds = ({ delays, random }: Serving, name: DelayName): number => draw(delays[name], random);

const failure = (status: number): Response => ({ status, body: errorPage(status) });
