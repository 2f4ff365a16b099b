import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';
import type { FieldCause } from '../refusals.ts';

/** What the API does to a kind beyond storing it: registry strategies, defaults, admission plugins. */
export interface Strategy {
  /** The status of a new object, whatever was sent; absent: what was sent is kept. */
  readonly firstStatus?: (object: StoredObject) => Json;
  /** Fills in what is not said. Gives the same object when there is nothing to fill in. */
  readonly complete?: (object: StoredObject, before: StoredObject | undefined, api: Api) => StoredObject;
  /** What is wrong with it; `before` is there on an update. */
  readonly validate?: (object: StoredObject, before: StoredObject | undefined) => readonly FieldCause[];
}

/** The object with these members where it has none; the same object when it has all. */
export function withDefaults<T extends Json>(object: T, defaults: Json): T {
  const missing = Object.keys(defaults).filter((key) => object[key] === undefined);
  if (missing.length === 0) return object;
  return { ...object, ...Object.fromEntries(missing.map((key) => [key, defaults[key]])) };
}

/** The list with each item replaced; the same list when no item is another. */
export function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

/** The object with one member changed; the same object when the member is the same. */
export function withMember<T extends Json>(object: T, key: string, change: (member: unknown) => unknown): T {
  const member = object[key];
  if (member === undefined) return object;
  const changed = change(member);
  return changed === member ? object : { ...object, [key]: changed };
}
