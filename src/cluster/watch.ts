import { OperationError } from '../host/errors.ts';
import { ApiError, type Change, type Selectors, type StatusDetails } from './cluster.ts';
import type { Kind, Kinds } from './kinds.ts';
import { listAll } from './list.ts';
import { collectionPath, objectName } from './paths.ts';
import { type Connection, type Question, refusal, send } from './requests.ts';
import { type View, view } from './view.ts';

/** The server ends every watch after this long, so that a silent one is found soon and a lost one costs little. */
const watchSeconds = 30;
/** A watch that has not ended by then hangs (kubernetes-client/javascript#2432). */
const slackSeconds = 5;
/** Watches lose events without a word (kubernetes-client/javascript#596), so everything is listed anew this often. */
const relistSeconds = 300;
/** The official client's own pauses between connections that fail: one second, doubled up to thirty. */
const firstPauseSeconds = 1;
const longestPauseSeconds = 30;
/** So many lists in a row that fail, seven seconds with the pauses between them, are more than a connection that broke. */
const lostAfterFailures = 3;

interface Watch<K extends Kind> {
  readonly connection: Connection;
  readonly kind: K;
  readonly where: Selectors;
  readonly signal: AbortSignal;
  readonly told: View<K>;
  readonly lost: (sinceAt: number) => void;
  synced: boolean;
  /** When the server last told something, epoch milliseconds. */
  heardAt: number;
  /** Lists in a row that failed. */
  failedLists: number;
  /** Connections that failed since one did not. */
  failures: number;
}

/**
 * Every object as `added`, `synced`, then every change for ever, none lost and none twice: what a broken watch missed comes
 * out of the next list. Ends quietly with the signal. Until `synced` any failure is thrown, then only what no pause mends.
 */
export async function* watchAll<K extends Kind>(
  connection: Connection,
  kind: K,
  where: Selectors,
  signal: AbortSignal,
  lost: (sinceAt: number) => void = () => undefined,
): AsyncGenerator<Change<K>> {
  const watch: Watch<K> = {
    ...{ connection, kind, where, signal, lost, told: view(kind) },
    ...{ synced: false, heardAt: connection.host.clock.wallAt(), failedLists: 0, failures: 0 },
  };
  while (!signal.aborted) {
    try {
      yield* listAndFollow(watch);
    } catch (error) {
      if (signal.aborted) return;
      if (!(watch.synced && mayPass(error))) throw error;
      await backOff(watch);
    }
  }
}

/** Once that nothing is heard lasts, it is told; and the server is left alone for a while. */
async function backOff<K extends Kind>(watch: Watch<K>): Promise<void> {
  if (watch.failedLists === lostAfterFailures) watch.lost(watch.heardAt);
  await pause(watch, Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** watch.failures));
  watch.failures += 1;
}

/** A refusal of what is asked itself stays one; everything else may be over after a while. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof OperationError)) return false;
  return !(error instanceof ApiError) || ![400, 403, 404, 405].includes(error.status);
}

/** A list, and one watch after the other from where the last one ended, until it is time for a new list. */
async function* listAndFollow<K extends Kind>(watch: Watch<K>): AsyncGenerator<Change<K>> {
  const { connection, kind, where, signal } = watch;
  const { clock } = connection.host;
  const listedAt = clock.monotonicSeconds();
  watch.failedLists += 1;
  const { items, resourceVersion } = await listAll(connection, kind, where, signal);
  const wasLost = watch.failedLists > lostAfterFailures;
  watch.failedLists = 0;
  watch.heardAt = clock.wallAt();
  yield* watch.told.listed(items);
  if (!watch.synced || wasLost) yield { type: 'synced', kind } as Change<K>;
  watch.synced = true;
  let from = resourceVersion;
  while (!signal.aborted && clock.monotonicSeconds() - listedAt < relistSeconds) {
    const begunAt = clock.monotonicSeconds();
    from = yield* follow(watch, from);
    await pause(watch, firstPauseSeconds - (clock.monotonicSeconds() - begunAt));
  }
}

/** The changes of one watch. Returns the resource version to go on from. */
async function* follow<K extends Kind>(watch: Watch<K>, from: string): AsyncGenerator<Change<K>, string> {
  let resourceVersion = from;
  for await (const event of events(watch, from)) {
    if (event.type === 'ERROR') throw failure(watch, event.object);
    resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
    watch.heardAt = watch.connection.host.clock.wallAt();
    if (event.type !== 'BOOKMARK') yield* watch.told.happened(event.type, event.object);
  }
  watch.failures = 0;
  watch.heardAt = watch.connection.host.clock.wallAt();
  return resourceVersion;
}

/** A failure in the middle of a watch; 410 says that the server has forgotten what came after our resource version. */
function failure<K extends Kind>(watch: Watch<K>, status: StatusBody): ApiError {
  const { tried, on } = question(watch, '');
  const { code = 500, reason = '', message = '', details } = status;
  return new ApiError({ tried, on, status: code, reason, message, ...(details && { details }) });
}

type WatchEvent<K extends Kind> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: Kinds[K] }
  | { readonly type: 'ERROR'; readonly object: StatusBody };
interface StatusBody {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

/** The events of one watch until the server ends it; one that does not end in time is an `OperationError`. */
async function* events<K extends Kind>(watch: Watch<K>, resourceVersion: string): AsyncGenerator<WatchEvent<K>> {
  const asked = question(watch, resourceVersion);
  const { tried, on } = asked;
  const late = new AbortController();
  const done = new AbortController();
  watch.connection.host.clock.sleep(watchSeconds + slackSeconds, done.signal).then(
    () => late.abort(new OperationError({ tried, on, cameBack: `no end in ${watchSeconds + slackSeconds} s` })),
    () => undefined,
  );
  try {
    const response = await send(watch.connection, asked, AbortSignal.any([watch.signal, late.signal]));
    if (response.status >= 400) throw refusal(asked, response, await response.text());
    for await (const line of lines(response.chunks())) yield parsed(asked, line);
    late.signal.throwIfAborted();
  } finally {
    done.abort('ended');
  }
}

function question<K extends Kind>({ kind, where }: Watch<K>, resourceVersion: string): Question {
  const { namespace, labelSelector, fieldSelector } = where;
  return {
    tried: 'watch',
    on: objectName(kind, namespace === undefined ? {} : { namespace }),
    method: 'GET',
    path: collectionPath(kind, namespace),
    query: {
      watch: 'true',
      resourceVersion,
      labelSelector,
      fieldSelector,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(watchSeconds),
    },
  };
}

/** Whole lines; a torn last one is dropped, for the next watch brings it again. */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces.filter((piece) => piece !== '');
  }
}

function parsed<K extends Kind>({ tried, on }: Question, line: string): WatchEvent<K> {
  try {
    return JSON.parse(line) as WatchEvent<K>;
  } catch (cause) {
    throw new OperationError({ tried, on, cameBack: `no JSON: ${line.slice(0, 200)}` }, { cause });
  }
}

async function pause<K extends Kind>({ connection, signal }: Watch<K>, seconds: number): Promise<void> {
  if (seconds > 0) await connection.host.clock.sleep(seconds, signal).catch(() => undefined);
}
