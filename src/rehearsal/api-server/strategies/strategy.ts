import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';
import type { FieldCause } from '../refusals.ts';

/** What the API server does to a kind besides storing it: registry strategy, defaults, admission plugins. */
export interface Strategy {
  /** The status of a new object, whatever was sent. Absent: the sent status is kept. */
  readonly firstStatus?: (object: StoredObject) => Json;
  /** Fills in defaults. Returns the same object if nothing is missing. */
  readonly complete?: (object: StoredObject, before: StoredObject | undefined, api: Api) => StoredObject;
  /** The causes of a 422; none if the object is valid. `before` is undefined for a new object. */
  readonly validate?: (object: StoredObject, before: StoredObject | undefined) => readonly FieldCause[];
}

/** The object with defaults for missing members; the same object if none is missing. */
export function withDefaults<T extends Json>(object: T, defaults: Json): T {
  const missing = Object.keys(defaults).filter((key) => object[key] === undefined);
  if (missing.length === 0) return object;
  return { ...object, ...Object.fromEntries(missing.map((key) => [key, defaults[key]])) };
}

/** The list with each item replaced; the same list if no item changes. */
export function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

/** The object with one member replaced; the same object if the member is missing or does not change. */
export function withMember<T extends Json>(object: T, key: string, change: (member: unknown) => unknown): T {
  const member = object[key];
  if (member === undefined) return object;
  const changed = change(member);
  return changed === member ? object : { ...object, [key]: changed };
}
