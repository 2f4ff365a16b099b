import type { StoredChange, StoredObject } from '../objects/objects.ts';
import type { Predicate } from '../objects/selectors.ts';

/** One event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

/** A change as a watcher with selectors sees it: what begins to match is added, what no longer does is deleted. */
export function seenBy(matches: Predicate, { type, object, before }: StoredChange): WatchEvent | undefined {
  const matched = before !== undefined && matches(before);
  if (type === 'DELETED') return matched ? { type, object } : undefined;
  if (matches(object)) return { type: matched ? 'MODIFIED' : 'ADDED', object };
  return matched ? { type: 'DELETED', object: lastSeen(before, object) } : undefined;
}

/** The version that still matched, with the resource version of the change: a watch must not go back. */
function lastSeen(before: StoredObject, object: StoredObject): StoredObject {
  const { resourceVersion } = object.metadata;
  return { ...before, metadata: { ...before.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
}
