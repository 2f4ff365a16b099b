import type { Socket } from 'node:net';
import type { LoadError } from '../host.ts';
import type { Deadline } from '../probe/deadline.ts';
import { brokenAt, cutOff } from '../probe/exchange.ts';
import { type Answer, type AnswerReader, answerReader, closed, isWaiting, push, statusSoFar } from './answer-reader.ts';
import { begin, type Job } from './job.ts';

/**
 * The requests of one connection, one after another. A record and functions: of five hundred connections each is met
 * with a cold cache, so what an answer touches is kept small, in one place, and without closures.
 */
export interface Requests {
  readonly job: Job;
  /** Of the lane. */
  readonly number: number;
  readonly answers: AnswerReader;
  /** Of a connection that is open. */
  socket: Socket | undefined;
  /** While no request is under way: one was taken and is not due yet. */
  rest: Rest | undefined;
  /** Ends the connection; when a request is due that was taken for it. */
  ended: (dueAt?: number) => void;
}

export const requestsOf = (job: Job, number: number): Requests => ({
  job,
  number,
  answers: answerReader(job.known),
  socket: undefined,
  rest: undefined,
  ended: () => {},
});

/**
 * Makes the taken request and further ones until the connection ends or none is left. Each has the whole time limit.
 */
export function requestsOn(socket: Socket, requests: Requests, limit: Deadline): Promise<number | undefined> {
  return new Promise((resolve) => {
    requests.socket = socket;
    requests.ended = resolve;
    socket.on('end', () => finished(requests));
    socket.on('error', (error: NodeJS.ErrnoException) => failed(requests, error.code));
    socket.on('close', () => end(requests, cutOff(soFar(requests))));
    limit.during(() => end(requests, 'timeout'));
    socket.write(requests.job.request);
  });
}

/** Takes what came on the connection; the memory of the bytes may be reused afterwards. */
export function receive(requests: Requests, bytes: Buffer): void {
  if (requests.socket === undefined) return;
  const answer = requests.rest === undefined ? push(requests.answers, bytes) : 'broken';
  if (answer === 'more') return;
  if (answer === 'broken') end(requests, brokenAt(soFar(requests)));
  else answered(requests, answer);
}

function answered(requests: Requests, { status, keepsAlive }: Answer): void {
  const { job, number } = requests;
  const now = performance.now();
  job.tally.answered(status, (now - (job.countedFrom[number] as number)) / 1000);
  const dueAt = keepsAlive ? job.take(now) : undefined;
  if (dueAt === undefined) end(requests);
  else if (dueAt <= now) send(requests, dueAt, now);
  else rest(requests, dueAt, now);
}

function send({ job, number, socket }: Requests, dueAt: number, now: number): void {
  begin(job, number, dueAt, now);
  socket?.write(job.request);
}

/** A connection without a request, until the one that was taken for it is due. */
interface Rest {
  readonly dueAt: number;
  readonly timer: NodeJS.Timeout;
}

function rest(requests: Requests, dueAt: number, now: number): void {
  requests.job.begunAt[requests.number] = dueAt;
  const due = () => {
    requests.rest = undefined;
    send(requests, dueAt, performance.now());
  };
  requests.rest = { dueAt, timer: setTimeout(due, dueAt - now) };
}

/** The server sent its last byte. */
function finished(requests: Requests): void {
  if (requests.socket === undefined) return;
  const answer = requests.rest === undefined ? closed(requests.answers) : 'broken';
  if (answer === 'broken') end(requests, goodbye(requests));
  else answered(requests, answer);
}

function failed(requests: Requests, code: string | undefined): void {
  // Linux reports EPIPE for a connection that its peer had closed before.
  if (code === 'EPIPE') end(requests, goodbye(requests));
  else end(requests, code === 'ETIMEDOUT' ? 'timeout' : cutOff(soFar(requests)));
}

/** The peer closed: a kept connection without a byte of the answer, or another one. */
const goodbye = (requests: Requests): LoadError => (isWaiting(requests.answers) ? 'closed' : cutOff(soFar(requests)));

const soFar = ({ answers }: Requests) => ({ status: () => statusSoFar(answers) });

function end(requests: Requests, error?: LoadError): void {
  const { job, socket, rest, ended } = requests;
  if (socket === undefined) return;
  requests.socket = undefined;
  if (rest !== undefined) clearTimeout(rest.timer);
  else if (error !== undefined && !job.stopped()) job.tally.failed(error);
  ended(rest?.dueAt);
}
