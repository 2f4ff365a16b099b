import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { Shape } from '../shapes.ts';
import { type Fields, leaf, union } from './fields.ts';

/** What differs between two values, as sets of fields. */
export interface Difference {
  /** New or of another value. */
  readonly set: Fields | undefined;
  readonly removed: Fields | undefined;
}

/** All fields of a value that can have an owner; undefined when it has none. */
export function fieldsOf(value: unknown, shape: Shape | undefined): Fields | undefined {
  if (shape?.unowned) return undefined;
  if (Array.isArray(value)) return fieldsOfList(value, shape);
  return isJson(value) && !shape?.atomic ? fieldsOfMembers(value, shape) : leaf;
}

function fieldsOfMembers(value: Json, shape: Shape | undefined): Fields | undefined {
  const members: Record<string, Fields> = {};
  let none = true;
  for (const key in value) {
    const fields = fieldsOf(value[key], shape?.members?.[key]);
    none = false;
    if (fields !== undefined) members[`f:${key}`] = fields;
  }
  return none ? leaf : orNothing(members);
}

/** Made once for each frozen list: the pods of a workload share their containers. */
const known = new WeakMap<object, Fields>();

function fieldsOfList(list: readonly unknown[], shape: Shape | undefined): Fields {
  if (!isMerged(shape) || list.length === 0) return leaf;
  const made = known.get(list);
  if (made !== undefined) return made;
  const items: Record<string, Fields> = {};
  for (const item of list) items[stepOf(item, shape)] = itemFields(item, shape);
  const fields = Object.freeze(items);
  if (Object.isFrozen(list)) known.set(list, fields);
  return fields;
}

/** Whether a list is owned item by item. */
export function isMerged(shape: Shape | undefined): boolean {
  return shape?.keys !== undefined || shape?.set === true;
}

/** How FieldsV1 names an item of a list. */
export function stepOf(item: unknown, shape: Shape | undefined): string {
  if (shape?.keys === undefined || !isJson(item)) return `v:${JSON.stringify(item)}`;
  const keys = Object.entries(shape.keys).map(([key, byDefault]) => [key, item[key] ?? byDefault] as const);
  return `k:${JSON.stringify(Object.fromEntries(keys.filter(([, value]) => value !== undefined)))}`;
}

/** What a write did. Parts that are the same object are not looked into. */
export function compare(before: unknown, after: unknown, shape: Shape | undefined): Difference {
  if (before === after || shape?.unowned) return same;
  if (before === undefined) return { set: fieldsOf(after, shape), removed: undefined };
  if (after === undefined) return { set: undefined, removed: fieldsOf(before, shape) };
  if (isJson(before) && isJson(after) && !shape?.atomic) return compareMembers(before, after, shape);
  if (Array.isArray(before) && Array.isArray(after) && isMerged(shape)) return compareItems(before, after, shape);
  return sameJson(after, before) ? same : { set: fieldsOf(after, shape), removed: undefined };
}

const same: Difference = { set: undefined, removed: undefined };

function compareMembers(before: Json, after: Json, shape: Shape | undefined): Difference {
  const parts: [step: string, difference: Difference][] = [];
  const add = (key: string) => {
    const part = compare(before[key], after[key], shape?.members?.[key]);
    if (part !== same) parts.push([`f:${key}`, part]);
  };
  for (const key in after) if (before[key] !== after[key]) add(key);
  for (const key in before) if (!(key in after)) add(key);
  return collected(parts);
}

function compareItems(before: readonly unknown[], after: readonly unknown[], shape: Shape | undefined): Difference {
  const [old, now] = [byStep(before, shape), byStep(after, shape)];
  return collected(
    [...new Set([...old.keys(), ...now.keys()])].map((step) => {
      if (!old.has(step)) return [step, { set: itemFields(now.get(step), shape), removed: undefined }];
      if (!now.has(step)) return [step, { set: undefined, removed: itemFields(old.get(step), shape) }];
      return [step, shape?.set ? same : compare(old.get(step), now.get(step), shape?.item)];
    }),
  );
}

function itemFields(item: unknown, shape: Shape | undefined): Fields {
  return shape?.set ? leaf : union(leaf, fieldsOf(item, shape?.item) ?? leaf);
}

function byStep(list: readonly unknown[], shape: Shape | undefined): ReadonlyMap<string, unknown> {
  return new Map(list.map((item) => [stepOf(item, shape), item]));
}

function collected(parts: readonly (readonly [step: string, difference: Difference])[]): Difference {
  if (parts.length === 0) return same;
  const set: Record<string, Fields> = {};
  const removed: Record<string, Fields> = {};
  for (const [step, part] of parts) {
    if (part.set !== undefined) set[step] = part.set;
    if (part.removed !== undefined) removed[step] = part.removed;
  }
  return { set: orNothing(set), removed: orNothing(removed) };
}

function orNothing(fields: Record<string, Fields>): Fields | undefined {
  return Object.keys(fields).length === 0 ? undefined : Object.freeze(fields);
}
