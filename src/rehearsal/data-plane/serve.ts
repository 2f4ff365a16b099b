import type { Container } from '../machines/containers.ts';
import type { CpuMeter } from '../machines/cpu-meter.ts';
import { programOf } from '../machines/images.ts';
import type { ApplicationHabits } from '../setup/setup.ts';
import { type DelayName, type Delays, draw } from '../time/delays.ts';
import type { Path } from './dial.ts';
import type { Address } from './endpoint-propagation.ts';
import { errorPage, welcomePage } from './pages.ts';
import type { Trip } from './request-deadline.ts';
import { type Request, type Upstream, upstreamOf, workersOf } from './upstream.ts';

export interface Response {
  readonly status: number;
  readonly body: string;
}
export interface Serving extends Path {
  readonly delays: Delays;
  readonly habits: ApplicationHabits;
  /** Requests under way in each container. */
  readonly underWay: Map<string, number>;
  readonly meter: Pick<CpuMeter, 'spend'>;
}

/** What the process behind a connection answers; undefined when the client gave up first. */
export function serve(
  serving: Serving,
  container: Container,
  request: Request,
  trip: Trip,
): Promise<Response | undefined> {
  if (programOf(container.image).name === 'ingress-nginx') return proxy(serving, container, request, trip);
  return answer(serving, container, request, trip);
}

/** One request's own work in nginx: about 20,000 a second and core for a small page; those before it are waited for. */
const secondsPerRequest = 1 / 20_000;

async function answer(
  serving: Serving,
  container: Container,
  { path }: Request,
  trip: Trip,
): Promise<Response | undefined> {
  const { underWay, habits, machines, delays, random, meter } = serving;
  meter.spend(container.id, secondsPerRequest);
  const before = underWay.get(container.id) ?? 0;
  underWay.set(container.id, before + 1);
  if (before >= habits.crashesFrom) machines.crash(container.id, oomExitCode);
  const isInTime = await trip.spend(draw(delays.applicationAnswer, random) + before * secondsPerRequest);
  underWay.set(container.id, (underWay.get(container.id) ?? 1) - 1);
  if (!isInTime) return undefined;
  if (before >= habits.failsFrom) return failure(500);
  const { pages } = programOf(container.image);
  return pages === undefined || pages.includes(path) ? { status: 200, body: welcomePage } : failure(404);
}

/** SIGKILL by the kernel, out of memory. */
const oomExitCode = 137;

/** ingress-nginx: proxy_next_upstream "error timeout", three tries. */
export const tries = 3;

/** The controller's nginx: a rule, the endpoints that this worker last read, and the next one when a connection fails. */
function proxy(serving: Serving, container: Container, request: Request, trip: Trip): Promise<Response | undefined> {
  serving.meter.spend(container.id, secondsPerRequest);
  const worker = Math.floor(serving.random() * workersOf(serving, container));
  const upstream = upstreamOf(serving, container, request, worker);
  if (upstream === undefined) return Promise.resolve(failure(404));
  if (upstream.addresses.length === 0) return Promise.resolve(failure(503));
  return passOn(serving, upstream, request, trip);
}

async function passOn(
  serving: Serving,
  upstream: Upstream,
  request: Request,
  trip: Trip,
): Promise<Response | undefined> {
  const first = Math.floor(serving.random() * upstream.addresses.length);
  let status = 502;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const { address } = upstream.addresses[(first + attempt) % upstream.addresses.length] as Address;
    const knock = serving.machines.knock(address, upstream.port);
    if (knock.answer === 'accepts') return await answer(serving, knock.container, request, trip);
    const isDead = knock.answer === 'silence';
    if (isDead && !(await trip.spend(seconds(serving, 'ingressConnectTimeout')))) return undefined;
    status = isDead ? 504 : 502;
  }
  return failure(status);
}

const seconds = ({ delays, random }: Serving, name: DelayName): number => draw(delays[name], random);

const failure = (status: number): Response => ({ status, body: errorPage(status) });
