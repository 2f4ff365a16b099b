import type { Change, Selectors } from './cluster.ts';
import type { Kind, Kinds } from './kinds.ts';
import { listAll } from './list.ts';
import { mayPass } from './may-pass.ts';
import type { Connection } from './requests.ts';
import { quietSeconds, watchOnce } from './watch-once.ts';

/**
 * After this many lists in a row without a watch between them there is a gap: what came and went between them is
 * unknown.
 */
const mostListsAlone = 3;
/**
 * How often everything is listed again, because watches can lose events without an error
 * (kubernetes-client/javascript#596).
 */
const relistSeconds = 300;
/** The pauses between failed connections, as client-go's reflector makes them: one second, doubled up to thirty. */
const firstPauseSeconds = 1;
const longestPauseSeconds = 30;

interface Watch<K extends Kind> {
  readonly connection: Connection;
  readonly kind: K;
  readonly where: Selectors;
  readonly signal: AbortSignal;
  readonly view: View<K>;
  readonly onGap: (sinceAt: number) => void;
  synced: boolean;
  /** When the server last answered, epoch milliseconds. */
  lastAnswerAt: number;
  /** The changes are complete up to this time, epoch milliseconds. */
  completeUntilAt: number;
  /** `onGap` was called, and `synced` was not yet emitted after it. */
  hasGap: boolean;
  /** Failed connections in a row. */
  failures: number;
  /** Lists in a row without a complete watch after them. */
  listsAlone: number;
}

/**
 * Emits every object as `added`, then `synced`, then every change, each once: what a broken watch missed follows from
 * the next list. Ends when the signal is aborted. Before `synced` every failure is thrown; after it only a failure that
 * a pause cannot resolve (may-pass.ts). After 35 seconds without an answer `onGap` is called once, and `synced` is
 * emitted again when the server answers: a list shows what is there, not what came and went.
 */
export async function* watchAll<K extends Kind>(
  connection: Connection,
  kind: K,
  where: Selectors,
  signal: AbortSignal,
  onGap: (sinceAt: number) => void = () => undefined,
): AsyncGenerator<Change<K>> {
  const begunAt = connection.host.clock.wallAt();
  const watch: Watch<K> = {
    connection,
    kind,
    where,
    signal,
    onGap,
    view: view(kind),
    synced: false,
    lastAnswerAt: begunAt,
    completeUntilAt: begunAt,
    hasGap: false,
    failures: 0,
    listsAlone: 0,
  };
  const done = new AbortController();
  const listening = watchForSilence(watch, done.signal);
  try {
    while (!signal.aborted) yield* listAndFollow(watch);
  } finally {
    done.abort('ended');
    await listening;
  }
}

/** Checks by the clock, because a request that hangs fails only after minutes. */
async function watchForSilence<K extends Kind>(watch: Watch<K>, signal: AbortSignal): Promise<void> {
  const { clock } = watch.connection.host;
  while (!signal.aborted) {
    openGapIfSilent(watch);
    const left = quietSeconds - (clock.wallAt() - watch.lastAnswerAt) / 1000;
    // At most quietSeconds, also if the clock was set back.
    await clock.sleep(left > 0 ? Math.min(left, quietSeconds) : quietSeconds, signal).catch(() => undefined);
  }
}

function openGapIfSilent<K extends Kind>(watch: Watch<K>): void {
  const quiet = watch.connection.host.clock.wallAt() - watch.lastAnswerAt;
  if (quiet >= quietSeconds * 1000) openGap(watch);
}

function openGap<K extends Kind>(watch: Watch<K>): void {
  if (!watch.synced || watch.hasGap) return;
  watch.hasGap = true;
  watch.onGap(watch.completeUntilAt);
}

/** A list and the changes after it, until a request fails; then a pause. */
async function* listAndFollow<K extends Kind>(watch: Watch<K>): AsyncGenerator<Change<K>> {
  try {
    const since = yield* list(watch);
    watch.listsAlone += 1;
    yield* follow(watch, since);
  } catch (error) {
    if (watch.signal.aborted) return;
    if (!(watch.synced && mayPass(error))) throw error;
    if (watch.listsAlone >= mostListsAlone) openGap(watch);
    await pause(watch, Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** watch.failures));
    watch.failures += 1;
  }
}

/** The list, as changes against what was emitted. Returns the resource version to continue from. */
async function* list<K extends Kind>(watch: Watch<K>): AsyncGenerator<Change<K>, string> {
  const { connection, kind, where, signal } = watch;
  const { clock } = connection.host;
  const askedAt = clock.wallAt();
  const { items, resourceVersion } = await listAll(connection, kind, where, signal, () => {
    openGapIfSilent(watch);
    watch.lastAnswerAt = clock.wallAt();
  });
  yield* watch.view.listed(items);
  watch.completeUntilAt = askedAt;
  yield* closeGap(watch);
  return resourceVersion;
}

/** Emits `synced` the first time, and after a gap. */
function* closeGap<K extends Kind>(watch: Watch<K>): Generator<Change<K>> {
  const { synced, hasGap, kind } = watch;
  watch.synced = true;
  watch.hasGap = false;
  if (!synced || hasGap) yield { type: 'synced', kind } as Change<K>;
}

/** One watch after the other, each from where the last one ended, until the next list is due. */
async function* follow<K extends Kind>(watch: Watch<K>, since: string): AsyncGenerator<Change<K>> {
  const { clock } = watch.connection.host;
  const listedAt = clock.monotonicSeconds();
  let from = since;
  while (!watch.signal.aborted && clock.monotonicSeconds() - listedAt < relistSeconds) {
    const begunAt = clock.monotonicSeconds();
    from = yield* followOnce(watch, from);
    await pause(watch, firstPauseSeconds - (clock.monotonicSeconds() - begunAt));
  }
}

/** The changes of one watch. Returns the resource version to continue from. */
async function* followOnce<K extends Kind>(watch: Watch<K>, from: string): AsyncGenerator<Change<K>, string> {
  let resourceVersion = from;
  for await (const events of watchOnce(watch, from)) {
    answered(watch);
    for (const { type, object } of events) {
      resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
      if (type !== 'BOOKMARK') yield* watch.view.happened(type, object);
    }
  }
  answered(watch);
  watch.failures = 0;
  watch.listsAlone = 0;
  // A watch sends the changes of a silence late, but completely.
  yield* closeGap(watch);
  return resourceVersion;
}

function answered<K extends Kind>(watch: Watch<K>): void {
  watch.lastAnswerAt = watch.connection.host.clock.wallAt();
  watch.completeUntilAt = watch.lastAnswerAt;
}

async function pause<K extends Kind>({ connection, signal }: Watch<K>, seconds: number): Promise<void> {
  if (seconds > 0) await connection.host.clock.sleep(seconds, signal).catch(() => undefined);
}

/** What a watch has emitted so far. It turns lists and events into the changes that are still to be emitted. */
interface View<K extends Kind> {
  /** The changes from what was emitted to this list. */
  listed(items: readonly Kinds[K][]): readonly Change<K>[];
  /** The changes of an event: none if it was emitted already, two if another object (by uid) took the name. */
  happened(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Kinds[K]): readonly Change<K>[];
}

function view<K extends Kind>(kind: K): View<K> {
  const emitted = new Map<string, Kinds[K]>();
  const change = (type: 'added' | 'modified' | 'deleted', object: Kinds[K]) =>
    ({ type, kind, object }) as unknown as Change<K>;
  const gone = (object: Kinds[K]) => {
    const before = emitted.get(keyOf(object));
    emitted.delete(keyOf(object));
    return before === undefined ? [] : [change('deleted', object)];
  };
  const there = (object: Kinds[K]) => {
    const before = emitted.get(keyOf(object));
    emitted.set(keyOf(object), object);
    if (before === undefined) return [change('added', object)];
    if (before.metadata.uid !== object.metadata.uid) return [change('deleted', before), change('added', object)];
    return before.metadata.resourceVersion === object.metadata.resourceVersion ? [] : [change('modified', object)];
  };
  return {
    listed: (items) => {
      const present = new Set(items.map(keyOf));
      const missing = [...emitted.values()].filter((object) => !present.has(keyOf(object)));
      return [...missing.flatMap(gone), ...items.flatMap(there)];
    },
    happened: (type, object) => (type === 'DELETED' ? gone(object) : there(object)),
  };
}

function keyOf({ metadata }: Kinds[Kind]): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
