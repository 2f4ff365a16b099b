import { OperationError } from '../host/errors.ts';
import { ApiError, type Selectors, type StatusDetails } from './cluster.ts';
import type { Kind, Kinds } from './kinds.ts';
import { collectionPath, objectName } from './paths.ts';
import { type Connection, type Question, refusal, send } from './requests.ts';

/**
 * The server is asked to end every watch after this time, because a dead connection looks like a cluster without
 * changes. Bookmarks come once a minute (the API server's `defaultBookmarkFrequency`); this is half of that.
 */
const watchSeconds = 30;
/** A watch that has not ended this long after its time hangs (kubernetes-client/javascript#2432). */
const slackSeconds = 5;
/** The longest time without an answer on a healthy watch. */
export const quietSeconds = watchSeconds + slackSeconds;

interface Watched<K extends Kind> {
  readonly connection: Connection;
  readonly kind: K;
  readonly where: Selectors;
  readonly signal: AbortSignal;
}
export interface WatchEvent<K extends Kind> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: Kinds[K];
}

/**
 * The events of one watch, those of a chunk together, until the server ends it after 30 seconds. A watch that does not
 * end in time is an `OperationError`; an ERROR event is an `ApiError`, 410 if the server no longer knows the resource
 * version.
 */
export async function* watchOnce<K extends Kind>(
  watched: Watched<K>,
  resourceVersion: string,
): AsyncGenerator<Iterable<WatchEvent<K>>> {
  const { connection, signal } = watched;
  const asked = question(watched, resourceVersion);
  const { tried, on } = asked;
  const late = new AbortController();
  const done = new AbortController();
  connection.host.clock.sleep(watchSeconds + slackSeconds, done.signal).then(
    () =>
      late.abort(
        new OperationError({
          tried,
          on,
          reason: `the server did not end the watch within ${watchSeconds + slackSeconds} s`,
        }),
      ),
    () => undefined,
  );
  try {
    const response = await send(connection, asked, AbortSignal.any([signal, late.signal]));
    if (response.status >= 400) throw refusal(asked, response, await response.text());
    for await (const some of lines(response.chunks())) yield eventsIn<K>(asked, some);
    late.signal.throwIfAborted();
  } finally {
    done.abort('ended');
  }
}

function question<K extends Kind>({ kind, where }: Watched<K>, resourceVersion: string): Question {
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

/** The whole lines of each chunk. A torn last line is dropped: the next watch sends it again. */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = pieces.pop() ?? '';
    yield pieces.filter((piece) => piece !== '');
  }
}

type Line<K extends Kind> = WatchEvent<K> | { readonly type: 'ERROR'; readonly object: StatusBody };
interface StatusBody {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

function* eventsIn<K extends Kind>(asked: Question, some: readonly string[]): Iterable<WatchEvent<K>> {
  for (const text of some) yield eventIn<K>(asked, text);
}

function eventIn<K extends Kind>(asked: Question, text: string): WatchEvent<K> {
  const line = parsed<K>(asked, text);
  if (line.type !== 'ERROR') return line;
  const { code = 500, reason = '', message = '', details } = line.object;
  const { tried, on } = asked;
  throw new ApiError({ tried, on, status: code, reason, message, ...(details && { details }) });
}

function parsed<K extends Kind>({ tried, on }: Question, text: string): Line<K> {
  try {
    return JSON.parse(text) as Line<K>;
  } catch (cause) {
    throw new OperationError({ tried, on, reason: `an event is not JSON: ${text.slice(0, 200)}` }, { cause });
  }
}
