import type { StoredChange, StoredObject } from '../objects/objects.ts';
import type { Predicate } from '../objects/selectors.ts';

/** One event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

/**
 * The event of a change for a watch with selectors: ADDED for an object that begins to match, DELETED for one that no
 * longer matches, undefined for one that did not match before or after.
 */
export function watchEventOf(matches: Predicate, { type, object, before }: StoredChange): WatchEvent | undefined {
  const matched = before !== undefined && matches(before);
  if (type === 'DELETED') return matched ? { type, object } : undefined;
  if (matches(object)) return { type: matched ? 'MODIFIED' : 'ADDED', object };
  return matched ? { type: 'DELETED', object: lastMatching(before, object) } : undefined;
}

/**
 * The last version that matched, with the resource version of the change, because those of a watch must not decrease.
 */
function lastMatching(before: StoredObject, object: StoredObject): StoredObject {
  const { resourceVersion } = object.metadata;
  return { ...before, metadata: { ...before.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
}
