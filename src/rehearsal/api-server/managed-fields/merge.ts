import { isJson, type Json } from '../../objects/json.ts';
import type { Shape } from '../shapes.ts';
import { isMerged, stepOf } from './compare.ts';
import type { Fields } from './fields.ts';

/** What is live with everything that is applied in its place. */
export function mergeApplied(live: unknown, applied: unknown, shape: Shape | undefined): unknown {
  if (isJson(live) && isJson(applied) && !shape?.atomic) return mergeMembers(live, applied, shape);
  if (Array.isArray(live) && Array.isArray(applied) && isMerged(shape)) return mergeItems(live, applied, shape);
  return applied;
}

function mergeMembers(live: Json, applied: Json, shape: Shape | undefined): Json {
  const merged: Record<string, unknown> = { ...live };
  for (const [key, value] of Object.entries(applied))
    merged[key] = mergeApplied(live[key], value, shape?.members?.[key]);
  return merged;
}

function mergeItems(
  live: readonly unknown[],
  applied: readonly unknown[],
  shape: Shape | undefined,
): readonly unknown[] {
  const waiting = new Map(applied.map((item) => [stepOf(item, shape), item]));
  const merged = live.map((item) => {
    const step = stepOf(item, shape);
    const over = waiting.get(step);
    waiting.delete(step);
    return over === undefined ? item : mergeApplied(item, over, shape?.item);
  });
  return [...merged, ...waiting.values()];
}

/** The value without these fields; undefined when nothing of it is left. */
export function withoutOwned(value: unknown, fields: Fields | undefined, shape: Shape | undefined): unknown {
  if (fields === undefined) return value;
  if (isJson(value) && !shape?.atomic && Object.keys(fields).length > 0) return withoutMembers(value, fields, shape);
  if (Array.isArray(value) && isMerged(shape) && Object.keys(fields).length > 0)
    return withoutItems(value, fields, shape);
  return undefined;
}

function withoutMembers(value: Json, fields: Fields, shape: Shape | undefined): Json | undefined {
  const rest = Object.entries(value).flatMap(([key, member]) => {
    const kept = withoutOwned(member, fields[`f:${key}`], shape?.members?.[key]);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** An item goes as a whole when it is itself among the fields; one that stays keeps its keys. */
function withoutItems(
  list: readonly unknown[],
  fields: Fields,
  shape: Shape | undefined,
): readonly unknown[] | undefined {
  const rest = list.flatMap((item) => {
    const gone = fields[stepOf(item, shape)];
    if (gone === undefined) return [item];
    if (Object.keys(gone).length === 0 || gone['.'] !== undefined) return [];
    return [{ ...(withoutOwned(item, gone, shape?.item) as Json), ...keysOf(item as Json, shape) }];
  });
  return rest.length === 0 ? undefined : rest;
}

function keysOf(item: Json, shape: Shape | undefined): Json {
  const keys = Object.keys(shape?.keys ?? {}).filter((key) => item[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, item[key]]));
}
