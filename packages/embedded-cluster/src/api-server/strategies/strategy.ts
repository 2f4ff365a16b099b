import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api, ApiRequest } from '../api.ts';
import type { FieldCause } from '../refusals.ts';

/** What the API server does to a kind besides storing it: registry strategy, defaults, admission plugins. */
export interface Strategy {
  /** The status of a new object, whatever was sent. Absent: the sent status is kept. */
  readonly firstStatus?: (object: StoredObject) => Json;
  /** Fills in defaults. Returns the same object if nothing is missing. */
  readonly complete?: (object: StoredObject, before: StoredObject | undefined, api: Api) => StoredObject;
  /**
   * What admission plugins and the registry make of the object after that: no manager owns it. Returns the same object
   * if nothing changes; throws a 403.
   */
  readonly admit?: (object: StoredObject, before: StoredObject | undefined, api: Api, at: ApiRequest) => StoredObject;
  /** What the API server warns of in a valid object. */
  readonly warnings?: (object: StoredObject, before: StoredObject | undefined) => readonly string[];
  /** What validating admission plugins refuse of a valid new object, with a 403. */
  readonly permit?: (object: StoredObject, before: StoredObject | undefined, api: Api, at: ApiRequest) => void;
  /** What a controller of the API server makes of a new object at once, by its status. */
  readonly settled?: (object: StoredObject, api: Api) => StoredObject;
  /**
   * Annotations raise `metadata.generation` as the spec does, and are written with the subresource `status` too, which
   * does not raise it.
   */
  readonly countsAnnotations?: true;
  /** Labels raise `metadata.generation` too. */
  readonly countsLabels?: true;
  /** `metadata.generation` stays 1. */
  readonly keepsGeneration?: true;
  /** The causes of a 422; none if the object is valid. `before` is undefined for a new object. */
  readonly validate?: (object: StoredObject, before: StoredObject | undefined, at: ApiRequest) => readonly FieldCause[];
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

/**
 * The object with what is at the path replaced, such as `spec.template` or `webhooks.*.rules.*` (of lists each item);
 * the same object if nothing is there or changes.
 */
export function at<T extends Json>(object: T, path: string, change: (value: unknown) => unknown): T {
  const [first = '', ...rest] = path.split('.');
  const deeper = (value: unknown): unknown => {
    const more = rest.join('.');
    if (more === '') return change(value);
    if (rest[0] === '*')
      return Array.isArray(value) ? mapped(value, (item) => atItem(item, more.slice(2), change)) : value;
    return isJson(value) ? at(value, more, change) : value;
  };
  return withMember(object, first, deeper);
}

function atItem(item: unknown, path: string, change: (value: unknown) => unknown): unknown {
  if (path === '') return change(item);
  return isJson(item) ? at(item, path, change) : item;
}

/** A change for `at` that leaves out those of the members that are 0 or empty, as Go's JSON does with `omitempty`. */
export function withoutEmpty(keys: readonly string[]): (value: unknown) => unknown {
  return (value) => {
    if (!isJson(value)) return value;
    const empty = keys.filter((key) => isEmpty(value[key]));
    if (empty.length === 0) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => !empty.includes(key)));
  };
}

function isEmpty(value: unknown): boolean {
  return value === 0 || (isJson(value) && Object.keys(value).length === 0);
}

/** A change for `at` that fills in the missing members of an object. */
export function defaultsOf(defaults: Json): (value: unknown) => unknown {
  return (value) => (isJson(value) ? withDefaults(value, defaults) : value);
}
