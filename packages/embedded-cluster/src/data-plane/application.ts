import { type Container, killedExitCode } from '../machines/containers.ts';
import type { CpuMeter } from '../machines/cpu-meter.ts';
import { pagesOf } from '../machines/images.ts';
import type { ApplicationBehaviour } from '../setup/setup.ts';
import { type Delays, draw } from '../time/delays.ts';
import type { Path } from './dial.ts';
import { errorPage, welcomePage } from './pages.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { Request } from './routes.ts';

export interface Response {
  readonly status: number;
  readonly body: string;
}

/** What a process on the path needs to answer a request. */
export interface Answering extends Path {
  readonly delays: Delays;
  readonly behaviour: ApplicationBehaviour;
  /** Requests in flight, by container id. */
  readonly inFlight: Map<string, number>;
  readonly meter: Pick<CpuMeter, 'spend'>;
}

/**
 * CPU time of one request in nginx: about 20,000 small pages a second and core. Requests in flight before it are served
 * first.
 */
export const secondsPerRequest = 1 / 20_000;

/** The answer of the application's own process; undefined when the deadline came first. */
export async function answer(
  answering: Answering,
  container: Container,
  { path }: Request,
  deadline: RequestDeadline,
): Promise<Response | undefined> {
  const { inFlight, behaviour, machines, delays, random, meter } = answering;
  const before = inFlight.get(container.id) ?? 0;
  inFlight.set(container.id, before + 1);
  if (before >= behaviour.crashesFrom) machines.crash(container.id, killedExitCode);
  const { cpu } = container;
  const turn = cpu && machines.queue(container, cpu);
  meter.spend(container.id, cpu?.secondsPerRequest ?? secondsPerRequest, turn);
  const waitSeconds = turn === undefined ? before * secondsPerRequest : (turn.answeredAt - answering.now()) / 1000;
  const isInTime = await deadline.sleep(draw(delays.applicationAnswer, random) + waitSeconds);
  inFlight.set(container.id, (inFlight.get(container.id) ?? 1) - 1);
  if (!isInTime) return undefined;
  if (before >= behaviour.failsFrom) return failure(500);
  const pages = pagesOf(container);
  return pages === undefined || pages.includes(path) ? { status: 200, body: welcomePage } : failure(404);
}

/** An nginx' own page for that status. */
export const failure = (status: number): Response => ({ status, body: errorPage(status) });
