import type { LoadCounted, LoadPlan } from '../host.ts';
import { destination, httpAddress } from '../probe/destination.ts';
import { prepareTls } from '../probe/secure.ts';
import { noAnswer } from './answer-reader.ts';
import { type Job, lane } from './lane.ts';
import { paceOf } from './pace.ts';
import { tally } from './tally.ts';

/** The size of libuv's own read buffer. */
const readBytes = 64 * 1024;

/**
 * An HTTP/1.1 client on sockets, as the prober's: every request is made once and counted once, so that no retry of a client hides a
 * failure.
 */
export const load = async (plan: LoadPlan, signal?: AbortSignal, end?: AbortSignal): Promise<LoadCounted> => {
  signal?.throwIfAborted();
  const to = destination({ url: httpAddress(plan.url), headers: [] }, {});
  if (to.tls !== undefined) await prepareTls();
  const counted = tally(plan);
  const underWay = new Set<() => void>();
  const stop = () => {
    for (const callOff of [...underWay]) callOff();
  };
  const stopped = () => signal?.aborted === true || end?.aborted === true;
  const pace = paceOf(plan);
  const startedAt = Date.now();
  const begun = performance.now();
  const job: Job = {
    to,
    request: Buffer.from(to.request.reused),
    tally: counted,
    underWay,
    take: () => (stopped() ? undefined : pace.next((performance.now() - begun) / 1000)),
    buffer: Buffer.allocUnsafeSlow(readBytes),
    last: noAnswer(),
    timeoutSeconds: plan.timeoutSeconds,
    stopped,
  };
  for (const one of [signal, end]) one?.addEventListener('abort', stop, { once: true });
  await Promise.all(Array.from({ length: Math.min(plan.concurrency, plan.requests) }, () => lane(job)));
  for (const one of [signal, end]) one?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  return counted.end(startedAt, (performance.now() - begun) / 1000);
};
