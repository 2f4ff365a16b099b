import type { HttpResponse } from '../../host/host.ts';
import { textOf } from '../objects/json.ts';
import type { StoredChange, StoredObject } from '../objects/objects.ts';
import { authorize } from './api.ts';
import { type Feed, feed } from './feed.ts';
import { listObjects, type Selection, selection, selectorsOf } from './read.ts';
import { refusals } from './refusals.ts';
import { failure, streamResponse } from './responses.ts';
import { table, wantsTable } from './tables.ts';
import { seenBy } from './watch.ts';
import type { Wire, WireRequest } from './wire-request.ts';

/** A bookmark comes about once a minute (cacher.go, bookmarkFrequency). */
const bookmarkSeconds = 60;
/** `--min-request-timeout`: a watch that does not say lasts this long, up to twice as long. */
const watchSeconds = 1800;

interface Watch {
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly selected: Selection;
  readonly lines: Feed<string>;
}

/** A watch as a stream of JSON lines; it ends after its `timeoutSeconds`, or when nobody listens any more. */
export function watchResponse(
  wire: Wire,
  request: WireRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): HttpResponse {
  authorize(wire.api, request);
  const watch: Watch = { wire, request, selected: selection(request, selectorsOf(request.query)), lines: feed() };
  const begun = begin(watch);
  const unfollow = wire.api.objects.follow(request.served.kind, (change) => tell(watch, change));
  const ended = new AbortController();
  const stop = () => {
    if (ended.signal.aborted) return;
    ended.abort('ended');
    unfollow();
    watch.lines.end();
    signal?.removeEventListener('abort', stop);
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (begun && !signal?.aborted) keepTime(watch, ended.signal, stop);
  else stop();
  return streamResponse(watch.lines.items, stop, headers);
}

/** What was before the watch: the objects as they are, or the changes since a resource version; false when these are forgotten. */
function begin(watch: Watch): boolean {
  const { wire, request, selected, lines } = watch;
  const { objects } = wire.api;
  const from = request.query.get('resourceVersion') ?? '';
  const initial = request.query.get('sendInitialEvents') === 'true';
  if (initial || from === '' || from === '0') {
    for (const object of listObjects(wire.api, request, selected)) lines.push(line(watch, 'ADDED', object));
    if (initial) lines.push(bookmark(watch, { 'k8s.io/initial-events-end': 'true' }));
    return true;
  }
  const changes = objects.since(request.served.kind, Number(from));
  for (const change of changes ?? []) tell(watch, change);
  if (changes !== undefined) return true;
  const expired = refusals.expired(request, `too old resource version: ${from} (${objects.revision()})`);
  lines.push(`${JSON.stringify({ type: 'ERROR', object: failure(expired) })}\n`);
  return false;
}

function tell(watch: Watch, change: StoredChange): void {
  const event = seenBy(watch.selected.matches, change);
  if (event !== undefined) watch.lines.push(line(watch, event.type, event.object));
}

function line({ wire, request }: Watch, type: string, object: StoredObject): string {
  const shown = wantsTable(request.headers.accept)
    ? table({ kind: object.kind, objects: [object], metadata: {}, nowAt: wire.clock.wallAt() })
    : object;
  return `{"type":"${type}","object":${textOf(shown)}}\n`;
}

/** The newest resource version, for a watcher that has seen no change of late. */
function bookmark({ wire, request }: Watch, annotations?: Readonly<Record<string, string>>): string {
  const metadata = { resourceVersion: String(wire.api.objects.revision()), ...(annotations && { annotations }) };
  const { kind, apiVersion } = request.served;
  return `${JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })}\n`;
}

function keepTime(watch: Watch, signal: AbortSignal, stop: () => void): void {
  const { wire, request, lines } = watch;
  const asked = Number(request.query.get('timeoutSeconds') ?? 0);
  const bookmarks = request.query.get('allowWatchBookmarks') === 'true';
  const last = async () => {
    let left = asked > 0 ? asked : watchSeconds * (1 + wire.random());
    for (; left > 0; left -= bookmarkSeconds) {
      await wire.clock.sleep(Math.min(left, bookmarkSeconds), signal);
      if (bookmarks && left > bookmarkSeconds) lines.push(bookmark(watch));
    }
  };
  last().then(stop, stop);
}
