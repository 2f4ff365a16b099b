import { setImmediate as turn } from 'node:timers/promises';
import type { LoadCounted, LoadPlan } from '../host.ts';
import { destination, httpAddress } from '../probe/destination.ts';
import { prepareTls } from '../probe/secure.ts';
import { noAnswer } from './answer-reader.ts';
import type { Job } from './job.ts';
import { lane } from './lane.ts';
import { paceOf } from './pace.ts';
import { readBuffer } from './read-buffer.ts';
import { tally } from './tally.ts';

/**
 * An HTTP/1.1 client on sockets, as the prober's: every request is made once and counted once, so that no retry of a
 * client hides a failure.
 */
export const load = async (plan: LoadPlan, signal?: AbortSignal, end?: AbortSignal): Promise<LoadCounted> => {
  signal?.throwIfAborted();
  const { target } = plan;
  const to = destination({ url: httpAddress(plan.url), headers: target?.headers ?? [] }, { ...target, http2: false });
  if (to.tls !== undefined) await prepareTls(to.tls);
  const counted = tally(plan);
  const underWay = new Set<() => void>();
  let isStopped = [signal, end].some((one) => one?.aborted === true);
  const stop = () => {
    isStopped = true;
    for (const callOff of [...underWay]) callOff();
  };
  const pace = paceOf(plan);
  const lanes = Math.min(plan.concurrency, plan.requests);
  const startedAt = Date.now();
  const begun = performance.now();
  const job: Job = {
    to,
    request: to.request.reused,
    tally: counted,
    underWay,
    take: (now) => {
      const waitSeconds = isStopped ? undefined : pace.next((now - begun) / 1000);
      return waitSeconds === undefined ? undefined : now + 1000 * waitSeconds;
    },
    isPaced: plan.rate !== undefined,
    readInto: readBuffer(),
    known: noAnswer(to.method),
    timeoutSeconds: plan.timeoutSeconds,
    begunAt: new Float64Array(lanes),
    countedFrom: new Float64Array(lanes),
    stopped: () => isStopped,
  };
  for (const one of [signal, end]) one?.addEventListener('abort', stop, { once: true });
  await inTurn(job, lanes);
  for (const one of [signal, end]) one?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  return counted.end(startedAt, (performance.now() - begun) / 1000);
};

/**
 * So many connections are begun in one turn of the event loop, so that the server answers the first while the others
 * are opened. All at once 500 take 60 ms on loopback, in which nothing is answered; one in a turn takes a twentieth
 * more CPU at 20,000 requests (measured on the nginx of `bench/load.ts`, medians of 4 and 14 rounds).
 */
const connectionsInATurn = 8;

/** Each lane has its first request from the beginning. */
function inTurn(job: Job, lanes: number): Promise<unknown> {
  const begun = performance.now();
  const firstDue = Array.from({ length: lanes }, () => job.take(begun));
  let now = Promise.resolve();
  const running = firstDue.map((dueAt, number) => {
    if (dueAt === begun && number % connectionsInATurn === 0) now = now.then(() => turn());
    return now.then(() => lane(job, number, dueAt));
  });
  return Promise.all(running);
}
