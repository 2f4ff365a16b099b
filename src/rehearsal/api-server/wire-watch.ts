import type { HttpResponse } from '../../host/host.ts';
import { textOf } from '../json.ts';
import type { StoredChange, StoredObject } from '../objects.ts';
import { authorize } from './api.ts';
import { type Feed, feed } from './feed.ts';
import { listObjects, type Selection, selection } from './read.ts';
import { refusals } from './refusals.ts';
import { failure, streamResponse } from './responses.ts';
import { seenBy } from './watch.ts';
import type { Wire, WireRequest } from './wire.ts';

/** A bookmark comes about once a minute (cacher.go, bookmarkFrequency). */
const bookmarkSeconds = 60;
/** `--min-request-timeout`: a watch that does not say lasts this long, up to twice as long. */
const watchSeconds = 1800;

/** A watch as a stream of JSON lines; it ends after its `timeoutSeconds`, or when nobody listens any more. */
export function watchResponse(
  wire: Wire,
  request: WireRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): HttpResponse {
  authorize(wire.api, request);
  const { query, served } = request;
  const selected = selection(request, {
    labelSelector: query.get('labelSelector') ?? undefined,
    fieldSelector: query.get('fieldSelector') ?? undefined,
  });
  const lines = feed<string>();
  const past = begin(wire, request, selected, lines);
  if (past === 'expired') lines.end();
  const unfollow = wire.api.objects.follow(served.kind, (change) => tell(lines, selected, change));
  const ended = new AbortController();
  const stop = () => {
    if (ended.signal.aborted) return;
    ended.abort();
    unfollow();
    lines.end();
    signal?.removeEventListener('abort', stop);
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (past === 'expired' || signal?.aborted) stop();
  else keepTime(wire, request, lines, ended.signal, stop);
  return streamResponse(lines.items, stop, headers);
}

/** What was before the watch: the objects as they are, or the changes since a resource version. */
function begin(wire: Wire, request: WireRequest, selected: Selection, lines: Feed<string>): 'begun' | 'expired' {
  const from = request.query.get('resourceVersion') ?? '';
  const { objects } = wire.api;
  const initial = request.query.get('sendInitialEvents') === 'true';
  if (initial || from === '' || from === '0') {
    for (const object of listObjects(wire.api, request, selected)) lines.push(line('ADDED', object));
    if (initial) lines.push(bookmark(wire, request, { 'k8s.io/initial-events-end': 'true' }));
    return 'begun';
  }
  const changes = objects.since(request.served.kind, Number(from));
  for (const change of changes ?? []) tell(lines, selected, change);
  if (changes !== undefined) return 'begun';
  const expired = refusals.expired(request, `too old resource version: ${from} (${objects.revision()})`);
  lines.push(`${JSON.stringify({ type: 'ERROR', object: failure(expired) })}\n`);
  return 'expired';
}

function tell(lines: Feed<string>, selected: Selection, change: StoredChange): void {
  const event = seenBy(selected.matches, change);
  if (event !== undefined) lines.push(line(event.type, event.object));
}

function line(type: string, object: StoredObject): string {
  return `{"type":"${type}","object":${textOf(object)}}\n`;
}

/** The newest resource version, for a watcher that has seen no change of late. */
function bookmark({ api }: Wire, { served }: WireRequest, annotations?: Readonly<Record<string, string>>): string {
  const metadata = { resourceVersion: String(api.objects.revision()), ...(annotations && { annotations }) };
  const { kind, apiVersion } = served;
  return `${JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })}\n`;
}

function keepTime(wire: Wire, request: WireRequest, lines: Feed<string>, signal: AbortSignal, stop: () => void): void {
  const asked = Number(request.query.get('timeoutSeconds') ?? 0);
  const bookmarks = request.query.get('allowWatchBookmarks') === 'true';
  const last = async () => {
    let left = asked > 0 ? asked : watchSeconds * (1 + wire.random());
    for (; left > 0; left -= bookmarkSeconds) {
      await wire.clock.sleep(Math.min(left, bookmarkSeconds), signal);
      if (bookmarks && left > bookmarkSeconds) lines.push(bookmark(wire, request));
    }
  };
  last().then(stop, stop);
}
