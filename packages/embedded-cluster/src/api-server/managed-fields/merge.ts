import { isJson, type Json } from '../../objects/json.ts';
import { itemOf, memberOf, type Shape } from '../shapes.ts';
import { isMerged, stepOf } from './compare.ts';
import type { Fields } from './fields.ts';

/** The live value with the applied one merged into it. */
export function mergeApplied(live: unknown, applied: unknown, shape: Shape | undefined): unknown {
  if (isJson(live) && isJson(applied) && !shape?.atomic) return mergeMembers(live, applied, shape);
  if (Array.isArray(live) && Array.isArray(applied) && isMerged(shape)) return mergeItems(live, applied, shape);
  return applied;
}

function mergeMembers(live: Json, applied: Json, shape: Shape | undefined): Json {
  const merged: Record<string, unknown> = { ...live };
  for (const [key, value] of Object.entries(applied))
    merged[key] = mergeApplied(live[key], value, memberOf(shape, key));
  return merged;
}

function mergeItems(
  live: readonly unknown[],
  applied: readonly unknown[],
  shape: Shape | undefined,
): readonly unknown[] {
  const toApply = new Map(applied.map((item) => [stepOf(item, shape), item]));
  const merged = live.map((item) => {
    const step = stepOf(item, shape);
    const appliedItem = toApply.get(step);
    toApply.delete(step);
    return appliedItem === undefined ? item : mergeApplied(item, appliedItem, itemOf(shape));
  });
  return [...merged, ...toApply.values()];
}

/** The value without these fields; undefined if nothing of it is left. */
export function withoutOwned(value: unknown, fields: Fields | undefined, shape: Shape | undefined): unknown {
  if (fields === undefined) return value;
  if (isJson(value) && !shape?.atomic && Object.keys(fields).length > 0) return withoutMembers(value, fields, shape);
  if (Array.isArray(value) && isMerged(shape) && Object.keys(fields).length > 0)
    return withoutItems(value, fields, shape);
  return undefined;
}

function withoutMembers(value: Json, fields: Fields, shape: Shape | undefined): Json | undefined {
  const rest = Object.entries(value).flatMap(([key, member]) => {
    const kept = withoutOwned(member, fields[`f:${key}`], memberOf(shape, key));
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** An item that is itself one of the fields is removed; one that stays keeps the members that identify it. */
function withoutItems(
  list: readonly unknown[],
  fields: Fields,
  shape: Shape | undefined,
): readonly unknown[] | undefined {
  const rest = list.flatMap((item) => {
    const removed = fields[stepOf(item, shape)];
    if (removed === undefined) return [item];
    if (Object.keys(removed).length === 0 || removed['.'] !== undefined) return [];
    return [{ ...(withoutOwned(item, removed, itemOf(shape)) as Json), ...keysOf(item as Json, shape) }];
  });
  return rest.length === 0 ? undefined : rest;
}

function keysOf(item: Json, shape: Shape | undefined): Json {
  const keys = Object.keys(shape?.keys ?? {}).filter((key) => item[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, item[key]]));
}
