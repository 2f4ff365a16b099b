import type * as z from 'zod';
import { OperationError } from '../host/errors.ts';
import type { Host, HttpRequest, HttpResponse, TlsOptions } from '../host/host.ts';
import { ApiError, type StatusDetails } from './cluster.ts';
import { statusShape } from './status-shape.ts';

/** The address of the API server and the credentials for it. */
export interface Access {
  /** `https://10.0.0.1:6443`, with or without a path. */
  readonly server: string;
  /** Called before every request, and once more, with `refused`, after a 401. */
  readonly headers?: (refused: boolean) => Promise<Readonly<Record<string, string>>>;
  /** A function if certificates are renewed: called after the headers. */
  readonly tls?: TlsOptions | (() => TlsOptions);
  /** The proxy of the kubeconfig; absent: the environment's, if it names one for the server. */
  readonly proxy?: HttpRequest['proxy'];
}
export interface Connection {
  readonly host: Pick<Host, 'http' | 'clock'>;
  readonly access: Access;
}
/** One request to the API, with the words for its failure. */
export interface Question {
  readonly tried: string;
  readonly on: string;
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** The request is idempotent, so that it is retried while the server is busy or does not answer. */
  readonly safe?: boolean;
  /** What the answer has to be; absent: nobody reads it. */
  readonly shape?: z.ZodType;
}

/** Half of the server's own timeout of a request (`--request-timeout`, 60 s). */
const requestSeconds = 30;
/** How often a request is sent at most. */
const attempts = 4;
/** The pause before the second attempt; it doubles before each further one. */
const pauseSeconds = 0.5;
/** The request fails at once if the server sends a longer Retry-After. */
const longestPauseSeconds = 10;

/**
 * The response as JSON, of the question's shape; what the embedded cluster answers without text is not looked at, for
 * it is of this program, and asked thousands of times. A refusal is an `ApiError`, no answer an `OperationError`.
 * Idempotent requests are retried, and so is any request that the server rejected before it read it: a 429 with
 * Retry-After.
 */
export const ask = (connection: Connection, question: Question, signal?: AbortSignal): Promise<unknown> =>
  retried(connection, question, signal, async (response) =>
    response.json === undefined ? shaped(question, parsed(question, await response.text())) : response.json(),
  );

/** The response as text, under the same rules. */
export const askText = (connection: Connection, question: Question): Promise<string> =>
  retried(connection, question, undefined, (response) => response.text());

type Read<T> = (response: HttpResponse) => Promise<T>;

async function retried<T>(
  connection: Connection,
  question: Question,
  signal: AbortSignal | undefined,
  read: Read<T>,
  attempt = 1,
): Promise<T> {
  try {
    return await askOnce(connection, question, signal, read);
  } catch (error) {
    const again = !signal?.aborted && (question.safe || isPutOff(error));
    const pause = again ? pauseAfter(error, attempt) : undefined;
    if (pause === undefined) throw error;
    await connection.host.clock.sleep(pause, signal);
    return retried(connection, question, signal, read, attempt + 1);
  }
}

/**
 * A 429 of API priority and fairness (KEP-1040), which client-go retries; the 429 of an eviction comes from a budget
 * and is final.
 */
function isPutOff(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 429) return false;
  const { retryAfterSeconds, causes = [] } = error.details ?? {};
  return retryAfterSeconds !== undefined && !causes.some(({ reason }) => reason === 'DisruptionBudget');
}

/** Seconds to wait before a retry; undefined if a retry is useless. */
function pauseAfter(error: unknown, attempt: number): number | undefined {
  if (attempt === attempts || !(error instanceof OperationError)) return undefined;
  if (!(error instanceof ApiError)) return pauseSeconds * 2 ** (attempt - 1);
  if (error.status !== 429 && error.status < 500) return undefined;
  const pause = error.details?.retryAfterSeconds ?? pauseSeconds * 2 ** (attempt - 1);
  return pause <= longestPauseSeconds ? pause : undefined;
}

async function askOnce<T>(
  connection: Connection,
  question: Question,
  signal: AbortSignal | undefined,
  read: Read<T>,
): Promise<T> {
  const { clock } = connection.host;
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(requestSeconds, done.signal).then(
    () => late.abort(silence(question)),
    () => undefined,
  );
  try {
    const both = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    const response = await send(connection, question, both);
    if (response.status >= 400) throw refusal(question, response, await response.text());
    return await read(response);
  } finally {
    done.abort('answered');
  }
}

/** The head of the response, whatever its status. After a 401 the credentials are read again, once. */
export async function send(connection: Connection, question: Question, signal: AbortSignal): Promise<HttpResponse> {
  const response = await sendOnce(connection, question, signal, false);
  if (response.status !== 401 || connection.access.headers === undefined) return response;
  response.discard();
  return sendOnce(connection, question, signal, true);
}

async function sendOnce(
  { host, access }: Connection,
  question: Question,
  signal: AbortSignal,
  refused: boolean,
): Promise<HttpResponse> {
  const { method, path, query = {}, body, contentType = 'application/json' } = question;
  const asked = new URLSearchParams(
    Object.entries(query).filter((one): one is [string, string] => one[1] !== undefined),
  );
  const request: HttpRequest = {
    method,
    url: `${access.server.replace(/\/$/, '')}${path}${asked.size > 0 ? `?${asked}` : ''}`,
    headers: {
      accept: 'application/json',
      'user-agent': 'holdfast',
      ...(body !== undefined && { 'content-type': contentType }),
      ...(await access.headers?.(refused)),
    },
    timeoutSeconds: requestSeconds,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(access.proxy !== undefined && { proxy: access.proxy }),
    ...(access.tls !== undefined && { tls: typeof access.tls === 'function' ? access.tls() : access.tls }),
  };
  return host.http(request, signal).catch(unreached);
}

/** The advice if the server does not answer. */
function unreached(error: unknown): never {
  if (!(error instanceof OperationError)) throw error;
  const next = 'See that the API server runs and can be reached from here: kubectl cluster-info with the same context';
  throw new OperationError({ next, ...error.failure }, { cause: error });
}

/** The advice after a 401. */
const unknownCaller = 'The API server does not know these credentials: try kubectl auth whoami with the same context';

/**
 * The error with the message of the Status object; with the beginning of the body if it is not a Status (such as a
 * proxy's page).
 */
export function refusal({ tried, on }: Question, { status, headers }: HttpResponse, text: string): ApiError {
  const { message, reason = '', details } = statusIn(text);
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  const wait = Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds };
  return new ApiError({
    tried,
    on,
    status,
    reason,
    message: message ?? text.slice(0, 200),
    details: { ...wait, ...(details as StatusDetails | undefined) },
    ...(status === 401 ? { next: unknownCaller } : {}),
  });
}

function statusIn(text: string): z.output<typeof statusShape> {
  try {
    return statusShape.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

function parsed({ tried, on }: Question, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OperationError({ tried, on, reason: `the response is not JSON: ${text.slice(0, 200)}` }, { cause });
  }
}

/** What was answered, if it has the shape; else an `OperationError`, as of an answer that is no JSON. */
export function shaped<T>({ tried, on, shape }: Pick<Question, 'tried' | 'on' | 'shape'>, answer: T): T {
  const issue = issueOf(shape, answer);
  if (issue === undefined) return answer;
  // The API takes null and absent for the same, and some servers write null for an empty list.
  const without = withoutNulls(answer) as T;
  if (issueOf(shape, without) === undefined) return without;
  const where = issue.path.join('.') || 'the whole';
  throw new OperationError({ tried, on, reason: `the response is no such object: ${where}: ${issue.message}` });
}

const issueOf = (shape: z.ZodType | undefined, answer: unknown) => shape?.safeParse(answer).error?.issues[0];

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

function silence({ tried, on }: Question): OperationError {
  return new OperationError({ tried, on, reason: `no answer within ${requestSeconds} s` });
}
