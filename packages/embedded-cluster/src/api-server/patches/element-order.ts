/**
 * The order of a list after a strategic merge patch (apimachinery, pkg/util/strategicpatch, normalizeElementOrder): the items that the patch
 * names stand in its order, and the others are put among them by their order before. `wanted` is the list of the patch, or its
 * `$setElementOrder`.
 */
export function inElementOrder(
  merged: readonly unknown[],
  { wanted, before, identity }: ElementOrder,
): readonly unknown[] {
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

export interface ElementOrder {
  readonly wanted: readonly unknown[];
  /** The list that was patched. */
  readonly before: readonly unknown[];
  /** What makes two items one: the text of the merge key, or the item. */
  readonly identity: (item: unknown) => unknown;
}

/** Whether both places are known, and the first is in front. */
const stoodBefore = (one: number, other: number): boolean => one >= 0 && other >= 0 && one < other;
