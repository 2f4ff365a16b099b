import { isJson, type Json, sameJson } from '../../objects/json.ts';
import { itemOf, memberOf, type Shape } from '../shapes.ts';

/**
 * A strategic merge patch (kubernetes/community, strategic-merge-patch.md): lists merge by their merge key, null
 * deletes. The directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList` and `$setElementOrder` are applied.
 */
export function strategicMergePatch(target: unknown, patch: unknown, shape: Shape | undefined): unknown {
  if (Array.isArray(patch)) return mergeList(Array.isArray(target) ? target : [], patch, shape);
  if (!isJson(patch)) return patch;
  if (patch.$patch === 'delete') return {};
  if (shape?.replaces) return patch;
  const { $patch, $retainKeys, ...members } = patch;
  const base = isJson(target) && $patch !== 'replace' ? target : {};
  const merged: Record<string, unknown> = retained(base, $retainKeys);
  for (const [key, value] of Object.entries(members)) mergeMember(merged, key, value, shape);
  for (const [key, value] of Object.entries(members)) reorderMember({ merged, base }, key, value, shape);
  return merged;
}

/** Applies `$setElementOrder/KEY`. */
function reorderMember(
  { merged, base }: { readonly merged: Record<string, unknown>; readonly base: Json },
  directive: string,
  wanted: unknown,
  shape: Shape | undefined,
): void {
  const [name, key = ''] = directive.split('/');
  const [list, before] = [merged[key], base[key] ?? []];
  if (name !== '$setElementOrder' || !Array.isArray(wanted) || !Array.isArray(list) || !Array.isArray(before)) return;
  const merges = memberOf(shape, key)?.merges;
  if (merges !== undefined) merged[key] = inElementOrder(list, { wanted, before, identity: identityBy(merges.key) });
}

/** What makes two items of a list one: their merge key, or they themselves. */
function identityBy(mergeKey: string | undefined): (item: unknown) => unknown {
  return (item) => (mergeKey !== undefined && isJson(item) ? JSON.stringify(item[mergeKey]) : item);
}

function retained(base: Json, keys: unknown): Record<string, unknown> {
  if (!Array.isArray(keys)) return { ...base };
  return Object.fromEntries(Object.entries(base).filter(([key]) => keys.includes(key)));
}

function mergeMember(merged: Record<string, unknown>, key: string, value: unknown, shape: Shape | undefined): void {
  const [directive, of = ''] = key.startsWith('$') ? key.split('/') : [];
  if (directive === '$deleteFromPrimitiveList') {
    if (Array.isArray(merged[of])) merged[of] = without(merged[of], value);
  } else if (directive !== undefined) return;
  else if (value === null) delete merged[key];
  else if (value !== undefined) merged[key] = strategicMergePatch(merged[key], value, memberOf(shape, key));
}

function without(list: unknown, deleted: unknown): unknown {
  return Array.isArray(list) && Array.isArray(deleted) ? list.filter((item) => !deleted.includes(item)) : list;
}

function mergeList(
  target: readonly unknown[],
  patch: readonly unknown[],
  shape: Shape | undefined,
): readonly unknown[] {
  const replaced = patch.filter((item) => !isReplace(item));
  if (replaced.length < patch.length) return replaced;
  const merges = shape?.merges;
  if (merges === undefined) return patch;
  // A new list is taken as it is: its items are not merged with each other.
  if (target.length === 0) return patch.filter((item) => !(isJson(item) && item.$patch === 'delete'));
  const { key } = merges;
  const order = { wanted: patch, before: target, identity: identityBy(key) };
  if (key === undefined) return inElementOrder([...target, ...patch.filter((item) => !target.includes(item))], order);
  let merged = [...target];
  for (const item of patch) merged = isJson(item) ? mergeItem(merged, item, key, itemOf(shape)) : merged;
  return inElementOrder(merged, order);
}

function isReplace(item: unknown): boolean {
  return isJson(item) && item.$patch === 'replace';
}

function mergeItem(list: readonly unknown[], item: Json, key: string, shape: Shape | undefined): unknown[] {
  const same = (one: unknown) => isJson(one) && sameJson(one[key], item[key]);
  if (item.$patch === 'delete') return list.filter((one) => !same(one));
  if (!list.some(same)) return [...list, strategicMergePatch({}, item, shape)];
  return list.map((one) => (same(one) ? strategicMergePatch(one, item, shape) : one));
}

/**
 * The order of a list after a strategic merge patch (apimachinery, pkg/util/strategicpatch, normalizeElementOrder): the
 * items that the patch names stand in its order, and the others are put among them by their order before. `wanted` is
 * the list of the patch, or its `$setElementOrder`.
 */
function inElementOrder(merged: readonly unknown[], { wanted, before, identity }: ElementOrder): readonly unknown[] {
  const placeIn = (list: readonly unknown[]) => {
    const places = new Map(list.map((item, place) => [identity(item), place]));
    return (item: unknown) => places.get(identity(item)) ?? -1;
  };
  const [wantedAt, beforeAt] = [placeIn(wanted), placeIn(before)];
  const named = merged.filter((item) => wantedAt(item) >= 0).toSorted((a, b) => wantedAt(a) - wantedAt(b));
  const others = merged.filter((item) => wantedAt(item) < 0);
  const ordered: unknown[] = [];
  for (const item of named) {
    while (others.length > 0 && stoodBefore(beforeAt(others[0]), beforeAt(item))) ordered.push(others.shift());
    ordered.push(item);
  }
  return [...ordered, ...others];
}

interface ElementOrder {
  readonly wanted: readonly unknown[];
  /** The list that was patched. */
  readonly before: readonly unknown[];
  /** What makes two items one: the text of the merge key, or the item. */
  readonly identity: (item: unknown) => unknown;
}

/** Whether both places are known, and the first is in front. */
const stoodBefore = (one: number, other: number): boolean => one >= 0 && other >= 0 && one < other;
