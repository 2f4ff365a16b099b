import type { Change } from './cluster.ts';
import type { Kind, Kinds } from './kinds.ts';

/** What a watch has emitted so far. It turns lists and events into the changes that are still to be emitted. */
export interface View<K extends Kind> {
  /** The changes from what was emitted to this list. */
  listed(items: readonly Kinds[K][]): readonly Change<K>[];
  /** The changes of an event: none if it was emitted already, two if another object (by uid) took the name. */
  happened(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Kinds[K]): readonly Change<K>[];
}

export function view<K extends Kind>(kind: K): View<K> {
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
