import { textOf } from '../objects/json.ts';
import type { StoredChange, StoredObject } from '../objects/objects.ts';
import type { HttpResponse } from '../outside/http.ts';
import { authorize } from './api.ts';
import { definitionName } from './decoding/definitions.ts';
import { withZeros } from './decoding/zeros.ts';
import { type Feed, feed } from './feed.ts';
import { requireOptions } from './options.ts';
import { atVersion, listObjects, type Selection, selection, selectorsOf } from './read.ts';
import { refusals } from './refusals.ts';
import { requireAcceptable } from './representations.ts';
import { failure, streamResponse } from './responses.ts';
import { table, wantsTable } from './tables/table.ts';
import { watchEventOf } from './watch.ts';
import type { Wire, WireRequest } from './wire-request.ts';

/** The interval of bookmarks (apiserver, cacher.go, bookmarkFrequency). */
const bookmarkSeconds = 60;
/** `--min-request-timeout`: a watch without `timeoutSeconds` lasts one to two times as long. */
const minimumWatchSeconds = 1800;

interface Watch {
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly selected: Selection;
  readonly lines: Feed<string>;
  /** Whether an event of the watch has had the columns of its table. */
  readonly told: { columns: boolean };
}

/** A watch as a stream of JSON lines. It ends after its `timeoutSeconds`, or when the client leaves. */
export function watchResponse(
  wire: Wire,
  request: WireRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): HttpResponse {
  requireAcceptable(request);
  authorize(wire.api, request);
  requireOptions(request);
  const watch: Watch = {
    wire,
    request,
    selected: selection(request, selectorsOf(request.query)),
    lines: feed(),
    told: { columns: false },
  };
  const started = pushInitialEvents(watch);
  const unfollow = wire.api.objects.follow(request.served.collection, (change) => pushEvent(watch, change));
  const ended = new AbortController();
  const stop = () => {
    if (ended.signal.aborted) return;
    ended.abort('ended');
    unfollow();
    watch.lines.end();
    signal?.removeEventListener('abort', stop);
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (started && !signal?.aborted) endAfterTimeout(watch, ended.signal, stop);
  else stop();
  return streamResponse(watch.lines.items, stop, headers);
}

/**
 * The objects as they are, or the changes since a resource version; false after an error event, if these are no longer
 * kept.
 */
function pushInitialEvents(watch: Watch): boolean {
  const { query } = watch.request;
  const from = query.get('resourceVersion') ?? '';
  const isFromStart = from === '' || from === '0';
  const wantsAll = query.get('sendInitialEvents') ?? String(isFromStart);
  if (wantsAll === 'true') pushObjects(watch);
  return wantsAll === 'true' || isFromStart || pushChanges(watch, from);
}

function pushObjects(watch: Watch): void {
  const { wire, request, selected, lines } = watch;
  for (const object of listObjects(wire.api, request, selected)) lines.push(eventLine(watch, 'ADDED', object));
  if (wantsBookmarks(request)) lines.push(bookmarkLine(watch, { 'k8s.io/initial-events-end': 'true' }));
}

function pushChanges(watch: Watch, from: string): boolean {
  const { wire, request, lines } = watch;
  const { objects } = wire.api;
  const changes = objects.since(request.served.collection, Number(from));
  for (const change of changes ?? []) pushEvent(watch, change);
  if (changes !== undefined) return true;
  const expired = refusals.expired(request, `too old resource version: ${from} (${objects.revision()})`);
  lines.push(`${JSON.stringify({ type: 'ERROR', object: failure(expired) })}\n`);
  return false;
}

function pushEvent(watch: Watch, change: StoredChange): void {
  const event = watchEventOf(watch.selected.matches, change);
  if (event !== undefined) watch.lines.push(eventLine(watch, event.type, atVersion(watch.request, event.object)));
}

function eventLine(watch: Watch, type: string, object: StoredObject): string {
  const { request } = watch;
  const shown = wantsTable(request.headers.accept) ? tableOf(watch, object) : (request.shown?.(object) ?? object);
  return `{"type":"${type}","object":${textOf(shown)}}\n`;
}

/**
 * Only the first event of a watch has the columns (apiserver, pkg/endpoints/handlers/response.go,
 * watchEmbeddedEncoder).
 */
function tableOf(watch: Watch, object: StoredObject): object {
  const { served, query } = watch.request;
  const { resourceVersion } = object.metadata;
  const nowAt = watch.wire.clock.wallAt();
  const whole = table({
    served,
    objects: [object],
    metadata: { resourceVersion },
    nowAt,
    includeObject: query.get('includeObject'),
  });
  const shown = watch.told.columns ? { ...whole, columnDefinitions: null } : whole;
  watch.told.columns = true;
  return shown;
}

const wantsBookmarks = ({ query }: WireRequest): boolean => query.get('allowWatchBookmarks') === 'true';

/** A BOOKMARK event: the newest resource version, for a watch without recent changes. */
function bookmarkLine({ wire, request }: Watch, annotations?: Readonly<Record<string, string>>): string {
  const metadata = { resourceVersion: String(wire.api.objects.revision()), ...(annotations && { annotations }) };
  const { kind, apiVersion } = request.served;
  const name = definitionName(apiVersion, kind);
  const bare = { kind, apiVersion, metadata } as StoredObject;
  const object = name === undefined ? bare : withZeros(bare, name);
  return `${JSON.stringify({ type: 'BOOKMARK', object: request.shown?.(object) ?? object })}\n`;
}

function endAfterTimeout(watch: Watch, signal: AbortSignal, stop: () => void): void {
  const { wire, request, lines } = watch;
  const timeoutSeconds = Number(request.query.get('timeoutSeconds') ?? 0);
  const wait = async () => {
    let secondsLeft = timeoutSeconds > 0 ? timeoutSeconds : minimumWatchSeconds * (1 + wire.random());
    for (; secondsLeft > 0; secondsLeft -= bookmarkSeconds) {
      await wire.clock.sleep(Math.min(secondsLeft, bookmarkSeconds), signal);
      if (wantsBookmarks(request) && secondsLeft > bookmarkSeconds) lines.push(bookmarkLine(watch));
    }
  };
  wait().then(stop, stop);
}
