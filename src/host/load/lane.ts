import { OperationError } from '../errors.ts';
import { type Connected, connect } from '../probe/connect.ts';
import { type Deadline, deadline } from '../probe/deadline.ts';
import { begin, type Job } from './job.ts';
import { type Requests, receive, requestsOf, requestsOn } from './requests.ts';

/**
 * Opens one connection after another, each for as many requests as it lasts, until no request is left. The first is due
 * at that moment of `performance.now()`, and was taken for it.
 */
export async function lane(job: Job, number: number, firstDueAt: number | undefined): Promise<void> {
  const begunAt = () => job.begunAt[number] as number;
  let dueAt = firstDueAt;
  while (dueAt !== undefined && !job.stopped()) {
    const waitSeconds = (dueAt - performance.now()) / 1000;
    if (waitSeconds > 0) await pause(job, waitSeconds);
    if (job.stopped()) return;
    begin(job, number, dueAt, performance.now());
    const limit = deadline(job.timeoutSeconds, begunAt);
    job.underWay.add(limit.expire);
    try {
      dueAt = (await connection(requestsOf(job, number), limit)) ?? job.take(performance.now());
    } finally {
      limit.clear();
      job.underWay.delete(limit.expire);
    }
  }
}

function pause({ underWay }: Job, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      underWay.delete(end);
      resolve();
    };
    const timer = setTimeout(end, 1000 * seconds);
    underWay.add(end);
  });
}

/**
 * Makes requests until the connection ends or none is left; when one is due that was taken for this connection and
 * needs another one.
 */
async function connection(requests: Requests, limit: Deadline): Promise<number | undefined> {
  const { to, readInto, tally, stopped } = requests.job;
  const callback = (length: number) => {
    receive(requests, readInto.first(length));
    return true;
  };
  const { socket, error = 'connect' } = await connect(to, limit, { buffer: readInto.buffer, callback }).catch(
    ownTrouble,
  );
  if (socket === undefined) {
    if (!stopped()) tally.failed(error);
    return undefined;
  }
  if (to.tls !== undefined) socket.on('data', (bytes: Buffer) => receive(requests, bytes));
  const left = await requestsOn(socket, requests, limit);
  socket.destroy();
  return left;
}

function ownTrouble(error: unknown): Omit<Connected, 'error'> & { readonly error: 'client' } {
  if (error instanceof OperationError) return { error: 'client', phases: {} };
  throw error;
}
