import type { Change, Selectors } from './cluster.ts';
import type { Kind } from './kinds.ts';
import { listAll } from './list.ts';
import { mayPass } from './may-pass.ts';
import type { Connection } from './requests.ts';
import { type View, view } from './view.ts';
import { quietSeconds, watchOnce } from './watch-once.ts';

/** So many lists in a row that no watch followed leave unknown what came and went between them. */
const mostUnfollowed = 3;
/** Watches lose events without a word (kubernetes-client/javascript#596), so everything is listed anew this often. */
const relistSeconds = 300;
/** The official client's own pauses between connections that fail: one second, doubled up to thirty. */
const firstPauseSeconds = 1;
const longestPauseSeconds = 30;

interface Watch<K extends Kind> {
  readonly connection: Connection;
  readonly kind: K;
  readonly where: Selectors;
  readonly signal: AbortSignal;
  readonly told: View<K>;
  readonly lost: (sinceAt: number) => void;
  synced: boolean;
  /** When the server last gave a sign of life, epoch milliseconds. */
  heardAt: number;
  /** Until when everything was told, epoch milliseconds: not later. */
  toldAt: number;
  /** A silence was told, and its end was not. */
  isLost: boolean;
  /** Connections that failed since one did not. */
  failures: number;
  /** Lists that no whole watch followed since one did. */
  unfollowed: number;
}

/**
 * Every object as `added`, `synced`, then every change for ever, none lost and none twice: what a broken watch missed comes
 * out of the next list. Ends quietly with the signal. Until `synced` any failure is thrown, then only what no pause mends.
 * `lost` hears of every silence of more than 35 seconds while it lasts, and `synced` comes again after it: a list tells what
 * is there, and not what came and went.
 */
export async function* watchAll<K extends Kind>(
  connection: Connection,
  kind: K,
  where: Selectors,
  signal: AbortSignal,
  lost: (sinceAt: number) => void = () => undefined,
): AsyncGenerator<Change<K>> {
  const begunAt = connection.host.clock.wallAt();
  const watch: Watch<K> = {
    connection,
    kind,
    where,
    signal,
    lost,
    told: view(kind),
    synced: false,
    heardAt: begunAt,
    toldAt: begunAt,
    isLost: false,
    failures: 0,
    unfollowed: 0,
  };
  const done = new AbortController();
  const listening = listenForSilence(watch, done.signal);
  try {
    while (!signal.aborted) yield* listAndFollow(watch);
  } finally {
    done.abort('ended');
    await listening;
  }
}

/** By time, because a question that hangs fails only after minutes. */
async function listenForSilence<K extends Kind>(watch: Watch<K>, signal: AbortSignal): Promise<void> {
  const { clock } = watch.connection.host;
  while (!signal.aborted) {
    tellSilence(watch);
    const left = quietSeconds - (clock.wallAt() - watch.heardAt) / 1000;
    // A clock that was set back is no reason to look away for long.
    await clock.sleep(left > 0 ? Math.min(left, quietSeconds) : quietSeconds, signal).catch(() => undefined);
  }
}

/** Once for each silence. */
function tellSilence<K extends Kind>(watch: Watch<K>): void {
  const quiet = watch.connection.host.clock.wallAt() - watch.heardAt;
  if (quiet >= quietSeconds * 1000) lose(watch);
}

function lose<K extends Kind>(watch: Watch<K>): void {
  if (!watch.synced || watch.isLost) return;
  watch.isLost = true;
  watch.lost(watch.toldAt);
}

/** A list, and the changes since, until something fails; then the server is left alone for a while. */
async function* listAndFollow<K extends Kind>(watch: Watch<K>): AsyncGenerator<Change<K>> {
  try {
    const since = yield* list(watch);
    watch.unfollowed += 1;
    yield* follow(watch, since);
  } catch (error) {
    if (watch.signal.aborted) return;
    if (!(watch.synced && mayPass(error))) throw error;
    if (watch.unfollowed >= mostUnfollowed) lose(watch);
    await pause(watch, Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** watch.failures));
    watch.failures += 1;
  }
}

/** What is there, as changes of what was told. Returns the resource version to go on from. */
async function* list<K extends Kind>(watch: Watch<K>): AsyncGenerator<Change<K>, string> {
  const { connection, kind, where, signal } = watch;
  const { clock } = connection.host;
  const askedAt = clock.wallAt();
  const { items, resourceVersion } = await listAll(connection, kind, where, signal, () => {
    tellSilence(watch);
    watch.heardAt = clock.wallAt();
  });
  yield* watch.told.listed(items);
  watch.toldAt = askedAt;
  yield* whole(watch);
  return resourceVersion;
}

/** Says that everything was told again, when that was not so before. */
function* whole<K extends Kind>(watch: Watch<K>): Generator<Change<K>> {
  const { synced, isLost, kind } = watch;
  watch.synced = true;
  watch.isLost = false;
  if (!synced || isLost) yield { type: 'synced', kind } as Change<K>;
}

/** One watch after the other from where the last one ended, until it is time for a new list. */
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

/** The changes of one watch. Returns the resource version to go on from. */
async function* followOnce<K extends Kind>(watch: Watch<K>, from: string): AsyncGenerator<Change<K>, string> {
  let resourceVersion = from;
  for await (const events of watchOnce(watch, from)) {
    heard(watch);
    for (const { type, object } of events) {
      resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
      if (type !== 'BOOKMARK') yield* watch.told.happened(type, object);
    }
  }
  heard(watch);
  watch.failures = 0;
  watch.unfollowed = 0;
  // A watch tells late what happened in a silence, but all of it.
  yield* whole(watch);
  return resourceVersion;
}

function heard<K extends Kind>(watch: Watch<K>): void {
  watch.heardAt = watch.connection.host.clock.wallAt();
  watch.toldAt = watch.heardAt;
}

async function pause<K extends Kind>({ connection, signal }: Watch<K>, seconds: number): Promise<void> {
  if (seconds > 0) await connection.host.clock.sleep(seconds, signal).catch(() => undefined);
}
