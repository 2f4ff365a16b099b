import type { Socket } from 'node:net';
import { OperationError } from '../errors.ts';
import type { LoadError } from '../host.ts';
import { connect } from '../probe/connect.ts';
import { deadline } from '../probe/deadline.ts';
import type { Destination } from '../probe/destination.ts';
import { type ResponseReader, responseReader } from '../probe/response-reader.ts';
import type { Tally } from './tally.ts';

/** What the lanes of a load share. */
export interface Job {
  readonly to: Destination;
  readonly tally: Tally;
  /** Takes the next request that is still to be made; false when there is none. */
  readonly take: () => boolean;
  readonly timeoutSeconds: number;
  readonly stopped: () => boolean;
  /** What calls off the step that each lane has under way. */
  readonly underWay: Set<() => void>;
}

/** One connection after another, each for as many requests as it lasts, until none is left. */
export async function lane(job: Job): Promise<void> {
  while (!job.stopped() && job.take()) {
    const begun = performance.now();
    const { socket, error } = await opened(job);
    if (socket !== undefined) {
      await requestsOn(socket, job, begun);
      socket.destroy();
    } else if (!job.stopped()) {
      job.tally.failed(error ?? 'connect');
    }
  }
}

async function opened(job: Job): Promise<{ readonly socket?: Socket; readonly error?: LoadError }> {
  const limit = deadline(job.timeoutSeconds);
  const stop = () => limit.expire();
  job.underWay.add(stop);
  try {
    return await connect(job.to, limit);
  } catch (error) {
    if (error instanceof OperationError) return { error: 'client' };
    throw error;
  } finally {
    limit.clear();
    job.underWay.delete(stop);
  }
}

/** The request that was taken, and more, until the connection ends or none is left. */
function requestsOn(socket: Socket, job: Job, firstBegun: number): Promise<void> {
  return new Promise((resolve) => {
    let begun = firstBegun;
    let reader = responseReader();
    const stop = () => end('timeout');
    let timer = setTimeout(stop, 1000 * job.timeoutSeconds - (performance.now() - begun));
    const end = (error?: LoadError) => {
      clearTimeout(timer);
      job.underWay.delete(stop);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      socket.on('error', () => {});
      if (error !== undefined && !job.stopped()) job.tally.failed(error);
      resolve();
    };
    const next = () => {
      if (!reader.keepsAlive() || !job.take()) return end();
      begun = performance.now();
      reader = responseReader();
      clearTimeout(timer);
      timer = setTimeout(stop, 1000 * job.timeoutSeconds);
      socket.write(job.to.request.reused);
    };
    const answered = () => {
      job.tally.answered(reader.status(), (performance.now() - begun) / 1000);
      next();
    };
    const listeners = {
      data: (bytes: Buffer) => {
        const progress = reader.push(bytes);
        if (progress === 'broken') end('body');
        else if (progress === 'complete') answered();
      },
      end: () => (reader.closed() === 'complete' ? answered() : end(cutOff(reader))),
      error: ({ code }: NodeJS.ErrnoException) => end(code === 'ETIMEDOUT' ? 'timeout' : cutOff(reader)),
      close: () => end(cutOff(reader)),
    };
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    job.underWay.add(stop);
    socket.write(job.to.request.reused);
  });
}

/** Without a status nothing was answered; with one, the body is what is missing. */
const cutOff = (reader: ResponseReader): LoadError => (reader.status() === 0 ? 'reset' : 'body');
