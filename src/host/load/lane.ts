import type { Socket } from 'node:net';
import { OperationError } from '../errors.ts';
import type { LoadError } from '../host.ts';
import { type Connected, connect } from '../probe/connect.ts';
import { type Deadline, deadline } from '../probe/deadline.ts';
import type { Destination } from '../probe/destination.ts';
import { brokenAt, cutOff } from '../probe/exchange.ts';
import { responseReader } from '../probe/response-reader.ts';
import type { Tally } from './tally.ts';

/** The state that the lanes of a load share. */
export interface Job {
  readonly to: Destination;
  readonly request: Buffer;
  readonly tally: Tally;
  /** Takes the next request that is still to be made; false if none is left. */
  readonly take: () => boolean;
  readonly timeoutSeconds: number;
  readonly stopped: () => boolean;
  /** For each lane that has a request under way, the function that cancels it. */
  readonly underWay: Set<() => void>;
  /** The buffer that all connections are read into, one at a time. */
  readonly buffer: Buffer;
}

/** Opens one connection after another, each for as many requests as it lasts, until no request is left. */
export async function lane(job: Job): Promise<void> {
  while (!job.stopped() && job.take()) {
    const limit = deadline(job.timeoutSeconds);
    job.underWay.add(limit.expire);
    try {
      await connection(job, limit);
    } finally {
      limit.clear();
      job.underWay.delete(limit.expire);
    }
  }
}

/** Makes the taken request and further ones until the connection ends or none is left. Each has the whole time limit. */
async function connection(job: Job, limit: Deadline): Promise<void> {
  const begun = performance.now();
  const opened = await open(job, limit);
  if (opened.socket === undefined) {
    if (!job.stopped()) job.tally.failed(opened.error);
    return;
  }
  await requestsOn(opened.socket, opened.inbox, { job, limit, begun });
  opened.socket.destroy();
}

/** Handles the bytes of a connection; the buffer is reused when the call returns. */
interface Inbox {
  receive: (bytes: Buffer) => void;
}
type Opened =
  | { readonly socket: Socket; readonly inbox: Inbox }
  | { readonly socket?: never; readonly error: LoadError };

/** Reading into one buffer costs a third less than a `data` event with a buffer of its own. */
async function open({ to, buffer }: Job, limit: Deadline): Promise<Opened> {
  const inbox: Inbox = { receive: () => {} };
  const callback = (length: number) => {
    inbox.receive(buffer.subarray(0, length));
    return true;
  };
  const { socket, error = 'connect' } = await connect(to, limit, { buffer, callback }).catch(ownTrouble);
  if (socket === undefined) return { error };
  if (to.tls !== undefined) socket.on('data', (bytes: Buffer) => inbox.receive(bytes));
  return { socket, inbox };
}

function ownTrouble(error: unknown): Omit<Connected, 'error'> & { readonly error: 'client' } {
  if (error instanceof OperationError) return { error: 'client', phases: {} };
  throw error;
}

interface Request {
  readonly job: Job;
  readonly limit: Deadline;
  readonly begun: number;
}

function requestsOn(socket: Socket, inbox: Inbox, { job, limit, begun: firstBegun }: Request): Promise<void> {
  return new Promise((resolve) => {
    const reader = responseReader();
    let begun = firstBegun;
    let isKept = false;
    let isSilent = true;
    const end = (error?: LoadError) => {
      inbox.receive = () => {};
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      socket.on('error', () => {});
      if (error !== undefined && !job.stopped()) job.tally.failed(error);
      resolve();
    };
    const answered = () => {
      const now = performance.now();
      job.tally.answered(reader.status(), (now - begun) / 1000);
      if (!reader.keepsAlive() || !job.take()) return end();
      reader.restart();
      limit.restart();
      begun = now;
      isKept = isSilent = true;
      socket.write(job.request);
    };
    const close = () => end(cutOff(reader));
    const goodbye = () => (isKept && isSilent ? end('closed') : close());
    inbox.receive = (bytes) => {
      isSilent = false;
      const progress = reader.push(bytes);
      if (progress === 'broken') end(brokenAt(reader));
      else if (progress === 'complete') answered();
    };
    const listeners = {
      end: () => (reader.closed() === 'complete' ? answered() : goodbye()),
      error: ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ETIMEDOUT') end('timeout');
        // Linux reports this for a connection that its peer had closed before.
        else if (code === 'EPIPE') goodbye();
        else close();
      },
      close,
    };
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    limit.during(() => end('timeout'));
    socket.write(job.request);
  });
}
