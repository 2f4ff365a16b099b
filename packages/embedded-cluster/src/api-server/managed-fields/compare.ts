import { isJson, type Json, sameJson } from '../../objects/json.ts';
import { isField, itemOf, memberOf, type Shape } from '../shapes.ts';
import { type Fields, leaf, self, union } from './fields.ts';

/** The difference between two values, as sets of fields. */
export interface Difference {
  /** Fields that are new or have another value. */
  readonly set: Fields | undefined;
  readonly removed: Fields | undefined;
}

/**
 * The fields of an applied object that its manager owns: every value, list items and entries of a map themselves, but
 * no other object (structured-merge-diff, ToFieldSet). Undefined if there are none.
 */
export function appliedFields(value: Json, shape: Shape | undefined): Fields | undefined {
  return undefinedIfEmpty(appliedMembers(value, shape));
}

function appliedMembers(value: Json, shape: Shape | undefined): Record<string, Fields> {
  const members: Record<string, Fields> = {};
  for (const key in value) {
    const fields = applied(value[key], memberOf(shape, key));
    members[`f:${key}`] = isField(shape, key) ? fields : union(leaf, fields);
  }
  return members;
}

function applied(value: unknown, shape: Shape | undefined): Fields {
  if (Array.isArray(value)) {
    if (!isMerged(shape) || value.length === 0) return leaf;
    const item = itemOf(shape);
    return Object.freeze(
      Object.fromEntries(value.map((one) => [stepOf(one, shape), union(leaf, applied(one, item))] as const)),
    );
  }
  return isJson(value) && !shape?.atomic ? Object.freeze(appliedMembers(value, shape)) : leaf;
}

/** The fields of a value where nothing was before: all of it, and every object and list in it. */
function addedFields(value: unknown, shape: Shape | undefined): Fields {
  if (Array.isArray(value)) return addedList(value, shape);
  if (!isJson(value) || shape?.atomic) return leaf;
  const members: Record<string, Fields> = { [self]: leaf };
  let isEmpty = true;
  for (const key in value) {
    isEmpty = false;
    members[`f:${key}`] = addedFields(value[key], memberOf(shape, key));
  }
  return isEmpty ? leaf : Object.freeze(members);
}

/** By frozen list, because the pods of a workload share their containers. */
const fieldsByList = new WeakMap<object, Fields>();

function addedList(list: readonly unknown[], shape: Shape | undefined): Fields {
  if (!isMerged(shape) || list.length === 0) return leaf;
  const cached = fieldsByList.get(list);
  if (cached !== undefined) return cached;
  const items: Record<string, Fields> = { [self]: leaf };
  const steps = list.map((item) => stepOf(item, shape));
  // Items that occur twice are owned as a whole.
  const isRepeated = new Set(steps).size < steps.length;
  list.forEach((item, index) => {
    const step = steps[index] as string;
    const isOneOfMany = isRepeated && steps.indexOf(step) !== steps.lastIndexOf(step);
    items[step] = isOneOfMany ? leaf : addedFields(item, itemOf(shape));
  });
  const fields = Object.freeze(items);
  if (Object.isFrozen(list)) fieldsByList.set(list, fields);
  return fields;
}

/** Whether a list is owned item by item. */
export function isMerged(shape: Shape | undefined): boolean {
  return shape !== undefined && (shape.keys !== undefined || shape.set);
}

/** The step of FieldsV1 for an item of a list. */
export function stepOf(item: unknown, shape: Shape | undefined): string {
  if (shape?.keys === undefined || !isJson(item)) return `v:${JSON.stringify(item)}`;
  const keys = Object.entries(shape.keys).map(([key, defaultValue]) => [key, item[key] ?? defaultValue] as const);
  return `k:${JSON.stringify(Object.fromEntries(keys.filter(([, value]) => value !== undefined)))}`;
}

/**
 * The difference that a write made (structured-merge-diff, Compare). Parts that are the same object are not compared.
 */
export function compare(before: unknown, after: unknown, shape: Shape | undefined): Difference {
  if (before === after) return same;
  if (before === undefined) return { set: addedFields(after, shape), removed: undefined };
  if (after === undefined) return { set: undefined, removed: addedFields(before, shape) };
  if (isJson(before) && isJson(after) && !shape?.atomic) return compareMembers(before, after, shape);
  if (Array.isArray(after) && isMerged(shape) && (before === null || Array.isArray(before)))
    return compareItems(before ?? [], after, shape);
  return sameJson(after, before) ? same : { set: addedFields(after, shape), removed: undefined };
}

const same: Difference = { set: undefined, removed: undefined };

function compareMembers(before: Json, after: Json, shape: Shape | undefined): Difference {
  const parts: [step: string, difference: Difference][] = [];
  const add = (key: string) => {
    const member = memberOf(shape, key);
    // A list or a map that was null is there already.
    const valueIn = (object: Json) => object[key] ?? member?.zero ?? (object[key] === null ? null : undefined);
    // A list that was emptied is set; one that was never sent is not.
    const next = before[key] === undefined ? (after[key] ?? member?.zero) : valueIn(after);
    const part = compare(valueIn(before), next, member);
    if (part !== same) parts.push([`f:${key}`, part]);
  };
  for (const key in after) if (before[key] !== after[key]) add(key);
  for (const key in before) if (!(key in after)) add(key);
  return collected(parts);
}

function compareItems(before: readonly unknown[], after: readonly unknown[], shape: Shape | undefined): Difference {
  const [old, next, item] = [byStep(before, shape), byStep(after, shape), itemOf(shape)];
  return collected(
    [...new Set([...old.keys(), ...next.keys()])].map((step) => [step, compare(old.get(step), next.get(step), item)]),
  );
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
