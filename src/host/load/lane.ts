import type { Socket } from 'node:net';
import { OperationError } from '../errors.ts';
import type { LoadError } from '../host.ts';
import { type Connected, connect } from '../probe/connect.ts';
import { type Deadline, deadline } from '../probe/deadline.ts';
import type { Destination } from '../probe/destination.ts';
import { brokenAt, cutOff } from '../probe/exchange.ts';
import { answerReader, type LastAnswer } from './answer-reader.ts';
import type { Tally } from './tally.ts';

/** The state that the lanes of a load share. */
export interface Job {
  readonly to: Destination;
  readonly request: Buffer;
  readonly tally: Tally;
  /** Takes the next request that is still to be made; the seconds until it is due, undefined if none is left. */
  readonly take: () => number | undefined;
  readonly timeoutSeconds: number;
  readonly stopped: () => boolean;
  /** For each lane that has a request under way, the function that cancels it. */
  readonly underWay: Set<() => void>;
  /** The buffer that all connections are read into, one at a time. */
  readonly buffer: Buffer;
  readonly last: LastAnswer;
}

/** Opens one connection after another, each for as many requests as it lasts, until no request is left. */
export async function lane(job: Job): Promise<void> {
  let waitSeconds = job.take();
  while (waitSeconds !== undefined && !job.stopped()) {
    if (waitSeconds > 0) await pause(job, waitSeconds);
    if (job.stopped()) return;
    const limit = deadline(job.timeoutSeconds);
    job.underWay.add(limit.expire);
    try {
      waitSeconds = (await connection(job, limit)) ?? job.take();
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
 * Makes the taken request and further ones until the connection ends or none is left. Each has the whole time limit. The result is the time
 * until a request is due that was taken for this connection and needs another one.
 */
async function connection(job: Job, limit: Deadline): Promise<number | undefined> {
  const begun = performance.now();
  const opened = await open(job, limit);
  if (opened.socket === undefined) {
    if (!job.stopped()) job.tally.failed(opened.error);
    return undefined;
  }
  const left = await requestsOn(opened.socket, opened.inbox, { job, limit, begun });
  opened.socket.destroy();
  return left;
}

/** Handles the first bytes of the buffer, so many of them; it is reused when the call returns. */
interface Inbox {
  receive: (buffer: Buffer, length: number) => void;
}
type Opened =
  | { readonly socket: Socket; readonly inbox: Inbox }
  | { readonly socket?: never; readonly error: LoadError };

/** Reading into one buffer costs a third less than a `data` event with a buffer of its own. */
async function open({ to, buffer }: Job, limit: Deadline): Promise<Opened> {
  const inbox: Inbox = { receive: () => {} };
  const callback = (length: number) => {
    inbox.receive(buffer, length);
    return true;
  };
  const { socket, error = 'connect' } = await connect(to, limit, { buffer, callback }).catch(ownTrouble);
  if (socket === undefined) return { error };
  if (to.tls !== undefined) socket.on('data', (bytes: Buffer) => inbox.receive(bytes, bytes.length));
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

function requestsOn(
  socket: Socket,
  inbox: Inbox,
  { job, limit, begun: firstBegun }: Request,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const reader = answerReader(job.last);
    let begun = firstBegun;
    let [isKept, isSilent] = [false, true];
    let rest: Rest | undefined;
    const end = (error?: LoadError) => {
      inbox.receive = () => {};
      ignore(socket, listeners);
      if (rest === undefined && error !== undefined && !job.stopped()) job.tally.failed(error);
      resolve(rest?.end());
    };
    const send = (now: number) => {
      rest = undefined;
      reader.restart();
      begun = now;
      limit.restart(now);
      isKept = isSilent = true;
      socket.write(job.request);
    };
    const answered = () => {
      const now = performance.now();
      job.tally.answered(reader.status(), (now - begun) / 1000);
      const waitSeconds = reader.keepsAlive() ? job.take() : undefined;
      if (waitSeconds === undefined) end();
      else if (waitSeconds > 0) rest = resting(waitSeconds, () => send(performance.now()));
      else send(now);
    };
    const close = () => end(cutOff(reader));
    const goodbye = () => (isKept && isSilent ? end('closed') : close());
    inbox.receive = (buffer, length) => {
      if (rest !== undefined) return end();
      isSilent = false;
      const progress = reader.push(buffer, length);
      if (progress === 'broken') end(brokenAt(reader));
      else if (progress === 'complete') answered();
    };
    const listeners = {
      end: () => (rest === undefined && reader.closed() === 'complete' ? answered() : goodbye()),
      error: ({ code }: NodeJS.ErrnoException) =>
        // Linux reports EPIPE for a connection that its peer had closed before.
        code === 'ETIMEDOUT' ? end('timeout') : code === 'EPIPE' ? goodbye() : close(),
      close,
    };
    listen(socket, listeners);
    limit.during(() => void (rest === undefined || job.stopped() ? end('timeout') : undefined));
    socket.write(job.request);
  });
}

type Listeners = Readonly<Record<string, (error: Error) => void>>;

function listen(socket: Socket, listeners: Listeners): void {
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
}
function ignore(socket: Socket, listeners: Listeners): void {
  for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
  socket.on('error', () => {});
}

/** A connection without a request, until the one that was taken for it is due. */
interface Rest {
  /** Ends it; the seconds that were left. */
  readonly end: () => number;
}

function resting(seconds: number, due: () => void): Rest {
  const dueAt = performance.now() + 1000 * seconds;
  const timer = setTimeout(due, 1000 * seconds);
  return {
    end: () => {
      clearTimeout(timer);
      return Math.max(0, (dueAt - performance.now()) / 1000);
    },
  };
}
