import * as z from 'zod';
import { OperationError } from '../host/errors.ts';
import { ApiError, type Selectors, type StatusDetails } from './cluster.ts';
import type { Kind, Kinds } from './kinds.ts';
import { collectionPath, objectName } from './paths.ts';
import { type Connection, type Question, refusal, send, shaped } from './requests.ts';
import { objectShape } from './shapes.ts';
import { statusShape } from './status-shape.ts';

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
    shape: objectShape(kind),
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

function* eventsIn<K extends Kind>(asked: Question, some: readonly string[]): Iterable<WatchEvent<K>> {
  for (const text of some) yield eventIn<K>(asked, text);
}

/** Of a bookmark only the resource version is there. */
const bookmark = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }) });
const line = z.looseObject({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.looseObject({}),
});

function eventIn<K extends Kind>(asked: Question, text: string): WatchEvent<K> {
  const { tried, on } = asked;
  const { type, object } = shaped({ tried, on, shape: line }, parsed(asked, text));
  if (type !== 'ERROR') {
    const shape = type === 'BOOKMARK' ? bookmark : asked.shape;
    return { type, object: shaped({ tried, on, ...(shape && { shape }) }, object) as unknown as Kinds[K] };
  }
  const { code = 500, reason = '', message = '', details } = statusShape.parse(object);
  throw new ApiError({
    tried,
    on,
    status: code,
    reason,
    message,
    ...(details && { details: details as StatusDetails }),
  });
}

function parsed({ tried, on }: Question, text: string): z.output<typeof line> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OperationError({ tried, on, reason: `an event is not JSON: ${text.slice(0, 200)}` }, { cause });
  }
}
