import type { HttpResponse } from '../../host/host.ts';
import { textOf } from '../objects/json.ts';
import type { StoredChange, StoredObject } from '../objects/objects.ts';
import { authorize } from './api.ts';
import { type Feed, feed } from './feed.ts';
import { requireOptions } from './options.ts';
import { listObjects, type Selection, selection, selectorsOf } from './read.ts';
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
  const watch: Watch = { wire, request, selected: selection(request, selectorsOf(request.query)), lines: feed() };
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

/** The objects as they are, or the changes since a resource version; false after an error event, if these are no longer kept. */
function pushInitialEvents(watch: Watch): boolean {
  const { wire, request, selected, lines } = watch;
  const { objects } = wire.api;
  const from = request.query.get('resourceVersion') ?? '';
  const initial = request.query.get('sendInitialEvents') === 'true';
  if (initial || from === '' || from === '0') {
    for (const object of listObjects(wire.api, request, selected)) lines.push(eventLine(watch, 'ADDED', object));
    if (initial) lines.push(bookmarkLine(watch, { 'k8s.io/initial-events-end': 'true' }));
    return true;
  }
  const changes = objects.since(request.served.collection, Number(from));
  for (const change of changes ?? []) pushEvent(watch, change);
  if (changes !== undefined) return true;
  const expired = refusals.expired(request, `too old resource version: ${from} (${objects.revision()})`);
  lines.push(`${JSON.stringify({ type: 'ERROR', object: failure(expired) })}\n`);
  return false;
}

function pushEvent(watch: Watch, change: StoredChange): void {
  const event = watchEventOf(watch.selected.matches, change);
  if (event !== undefined) watch.lines.push(eventLine(watch, event.type, event.object));
}

function eventLine({ wire, request }: Watch, type: string, object: StoredObject): string {
  const shown = wantsTable(request.headers.accept)
    ? tableOf(wire, request, object)
    : (request.shown?.(object) ?? object);
  return `{"type":"${type}","object":${textOf(shown)}}\n`;
}

function tableOf({ clock }: Wire, { served, query }: WireRequest, object: StoredObject): object {
  const { resourceVersion } = object.metadata;
  const includeObject = query.get('includeObject');
  return table({ served, objects: [object], metadata: { resourceVersion }, nowAt: clock.wallAt(), includeObject });
}

/** A BOOKMARK event: the newest resource version, for a watch without recent changes. */
function bookmarkLine({ wire, request }: Watch, annotations?: Readonly<Record<string, string>>): string {
  const metadata = { resourceVersion: String(wire.api.objects.revision()), ...(annotations && { annotations }) };
  const { kind, apiVersion } = request.served;
  const object = { kind, apiVersion, metadata };
  return `${JSON.stringify({ type: 'BOOKMARK', object: request.shown?.(object) ?? object })}\n`;
}

function endAfterTimeout(watch: Watch, signal: AbortSignal, stop: () => void): void {
  const { wire, request, lines } = watch;
  const timeoutSeconds = Number(request.query.get('timeoutSeconds') ?? 0);
  const wantsBookmarks = request.query.get('allowWatchBookmarks') === 'true';
  const wait = async () => {
    let secondsLeft = timeoutSeconds > 0 ? timeoutSeconds : minimumWatchSeconds * (1 + wire.random());
    for (; secondsLeft > 0; secondsLeft -= bookmarkSeconds) {
      await wire.clock.sleep(Math.min(secondsLeft, bookmarkSeconds), signal);
      if (wantsBookmarks && secondsLeft > bookmarkSeconds) lines.push(bookmarkLine(watch));
    }
  };
  wait().then(stop, stop);
}
