import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { Shape } from '../shapes.ts';
import { type Fields, leaf, union } from './fields.ts';

/** The difference between two values, as sets of fields. */
export interface Difference {
  /** Fields that are new or have another value. */
  readonly set: Fields | undefined;
  readonly removed: Fields | undefined;
}

/** All fields of a value that can have an owner; undefined if there are none. */
export function fieldsOf(value: unknown, shape: Shape | undefined): Fields | undefined {
  if (shape?.unowned) return undefined;
  if (Array.isArray(value)) return fieldsOfList(value, shape);
  return isJson(value) && !shape?.atomic ? fieldsOfMembers(value, shape) : leaf;
}

function fieldsOfMembers(value: Json, shape: Shape | undefined): Fields | undefined {
  const members: Record<string, Fields> = {};
  let isEmpty = true;
  for (const key in value) {
    const fields = fieldsOf(value[key], shape?.members?.[key]);
    isEmpty = false;
    if (fields !== undefined) members[`f:${key}`] = fields;
  }
  return isEmpty ? leaf : undefinedIfEmpty(members);
}

/** By frozen list, because the pods of a workload share their containers. */
const fieldsByList = new WeakMap<object, Fields>();

function fieldsOfList(list: readonly unknown[], shape: Shape | undefined): Fields {
  if (!isMerged(shape) || list.length === 0) return leaf;
  const cached = fieldsByList.get(list);
  if (cached !== undefined) return cached;
  const items: Record<string, Fields> = {};
  for (const item of list) items[stepOf(item, shape)] = itemFields(item, shape);
  const fields = Object.freeze(items);
  if (Object.isFrozen(list)) fieldsByList.set(list, fields);
  return fields;
}

/** Whether a list is owned item by item. */
export function isMerged(shape: Shape | undefined): boolean {
  return shape?.keys !== undefined || shape?.set === true;
}

/** The step of FieldsV1 for an item of a list. */
export function stepOf(item: unknown, shape: Shape | undefined): string {
  if (shape?.keys === undefined || !isJson(item)) return `v:${JSON.stringify(item)}`;
  const keys = Object.entries(shape.keys).map(([key, defaultValue]) => [key, item[key] ?? defaultValue] as const);
  return `k:${JSON.stringify(Object.fromEntries(keys.filter(([, value]) => value !== undefined)))}`;
}

/** The difference that a write made. Parts that are the same object are not compared. */
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
  const [old, next] = [byStep(before, shape), byStep(after, shape)];
  return collected(
    [...new Set([...old.keys(), ...next.keys()])].map((step) => {
      if (!old.has(step)) return [step, { set: itemFields(next.get(step), shape), removed: undefined }];
      if (!next.has(step)) return [step, { set: undefined, removed: itemFields(old.get(step), shape) }];
      return [step, shape?.set ? same : compare(old.get(step), next.get(step), shape?.item)];
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
  return { set: undefinedIfEmpty(set), removed: undefinedIfEmpty(removed) };
}

function undefinedIfEmpty(fields: Record<string, Fields>): Fields | undefined {
  return Object.keys(fields).length === 0 ? undefined : Object.freeze(fields);
}
