import type { Ingress } from '../../cluster/resources.ts';
import type { Container } from '../containers.ts';
import { type DelayName, type Delays, draw } from '../delays.ts';
import { programOf } from '../images.ts';
import { instanceType } from '../instance-types.ts';
import type { Address, Learner } from '../learned.ts';
import type { ApplicationHabits } from '../setup.ts';
import { type Path, pick } from './dial.ts';
import { errorPage, welcomePage } from './pages.ts';
import type { Trip } from './trip.ts';

export interface Request {
  readonly host: string;
  readonly path: string;
}
export interface Response {
  readonly status: number;
  readonly body: string;
}
export interface Serving extends Path {
  readonly delays: Delays;
  readonly habits: ApplicationHabits;
  /** Requests under way in each container. */
  readonly underWay: Map<string, number>;
}

/** What the process behind a connection answers; undefined when the client gave up first. */
export async function serve(
  serving: Serving,
  container: Container,
  request: Request,
  trip: Trip,
): Promise<Response | undefined> {
  if (programOf(container.image).name === 'ingress-nginx') return proxy(serving, container, request, trip);
  return answer(serving, container, trip);
}

/** One request's own work in nginx: about 20,000 a second and core for a small page; those before it are waited for. */
const secondsPerRequest = 1 / 20_000;

async function answer(serving: Serving, container: Container, trip: Trip): Promise<Response | undefined> {
  const { underWay, habits, machines, delays, random } = serving;
  const before = underWay.get(container.id) ?? 0;
  underWay.set(container.id, before + 1);
  if (before >= habits.crashesFrom) machines.crash(container.id, oomExitCode);
  const isInTime = await trip.spend(draw(delays.applicationAnswer, random) + before * secondsPerRequest);
  underWay.set(container.id, (underWay.get(container.id) ?? 1) - 1);
  if (!isInTime) return undefined;
  return before >= habits.failsFrom ? failure(500) : { status: 200, body: welcomePage };
}

/** SIGKILL by the kernel, out of memory. */
const oomExitCode = 137;

/** ingress-nginx: proxy_next_upstream "error timeout", three tries. */
const tries = 3;

/** The controller's nginx: a rule, the endpoints that this worker last read, and the next one when a connection fails. */
async function proxy(
  serving: Serving,
  container: Container,
  request: Request,
  trip: Trip,
): Promise<Response | undefined> {
  const learner = { id: container.id, startedAt: container.listensAt };
  const backend = backendOf(serving.learned.ingresses(learner), request);
  if (backend === undefined) return failure(404);
  const upstream = upstreamOf(serving, container, learner, backend);
  if (upstream.addresses.length === 0) return failure(503);
  const first = Math.floor(serving.random() * upstream.addresses.length);
  let status = 502;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const { address } = upstream.addresses[(first + attempt) % upstream.addresses.length] as Address;
    const knock = serving.machines.knock(address, upstream.port);
    if (knock.answer === 'accepts') return answer(serving, knock.container, trip);
    const isDead = knock.answer === 'silence';
    if (isDead && !(await trip.spend(seconds(serving, 'ingressConnectTimeout')))) return undefined;
    status = isDead ? 504 : 502;
  }
  return failure(status);
}

const seconds = ({ delays, random }: Serving, name: DelayName): number => draw(delays[name], random);

const failure = (status: number): Response => ({ status, body: errorPage(status) });

export interface Backend {
  readonly serviceKey: string;
  /** The Service's port, by number or name. */
  readonly port: number | string;
}

/** The rule that takes the request: the longest path of those for its host (networking.k8s.io/v1 Ingress). */
export function backendOf(ingresses: readonly Ingress[], { host, path }: Request): Backend | undefined {
  const candidates = ingresses.filter(isOfNginx).flatMap((ingress) =>
    (ingress.spec.rules ?? [])
      .filter((rule) => rule.host === undefined || rule.host === host)
      .flatMap((rule) => rule.http?.paths ?? [])
      .filter((rule) => isUnder(path, rule.path ?? '/', rule.pathType === 'Exact'))
      .map((rule) => ({ length: (rule.path ?? '/').length, service: rule.backend.service, ingress })),
  );
  const best = candidates.sort((a, b) => b.length - a.length)[0];
  if (best?.service === undefined) return undefined;
  const { name, port } = best.service;
  return { serviceKey: `${best.ingress.metadata.namespace}/${name}`, port: port.number ?? port.name ?? 80 };
}

function isOfNginx({ metadata, spec }: Ingress): boolean {
  return (spec.ingressClassName ?? metadata.annotations?.['kubernetes.io/ingress.class']) === 'nginx';
}

function isUnder(path: string, prefix: string, exact: boolean): boolean {
  if (exact) return path === prefix;
  const folder = prefix.endsWith('/') ? prefix : `${prefix}/`;
  return path === prefix || path.startsWith(folder);
}

interface Upstream {
  readonly addresses: readonly Address[];
  readonly port: number;
}

function upstreamOf(serving: Serving, container: Container, learner: Learner, backend: Backend): Upstream {
  const instance = serving.machines.instance(container.instanceId);
  const workers = Array.from({ length: instanceType(instance?.type ?? '')?.vcpus ?? 1 }, (_, worker) => worker);
  const worker = pick(workers, serving.random) ?? 0;
  const endpoints = serving.learned.toIngressWorker(learner, worker, backend.serviceKey);
  const ports = endpoints?.ports ?? {};
  const port = typeof backend.port === 'string' ? ports[backend.port] : Object.values(ports)[0];
  return { addresses: endpoints?.ready ?? [], port: port ?? 80 };
}
