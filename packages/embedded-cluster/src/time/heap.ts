/** A binary heap: `first` gives the item that comes before all others by `before`. */
export interface Heap<T> {
  first(): T | undefined;
  push(item: T): void;
  pop(): T | undefined;
  clear(): void;
}

export function heap<T>(before: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  return {
    first: () => items[0],
    push: (item) => {
      items.push(item);
      rise(items, before);
    },
    pop: () => {
      const first = items[0];
      const last = items.pop();
      if (items.length > 0 && last !== undefined) {
        items[0] = last;
        sink(items, before);
      }
      return first;
    },
    clear: () => {
      items.length = 0;
    },
  };
}

function rise<T>(items: T[], before: (a: T, b: T) => boolean): void {
  let at = items.length - 1;
  const item = items[at] as T;
  while (at > 0) {
    const parentAt = (at - 1) >> 1;
    const parent = items[parentAt] as T;
    if (!before(item, parent)) break;
    items[at] = parent;
    at = parentAt;
  }
  items[at] = item;
}

function sink<T>(items: T[], before: (a: T, b: T) => boolean): void {
  const item = items[0] as T;
  let at = 0;
  for (let child = 1; child < items.length; child = 2 * at + 1) {
    if (child + 1 < items.length && before(items[child + 1] as T, items[child] as T)) child += 1;
    if (!before(items[child] as T, item)) break;
    items[at] = items[child] as T;
    at = child;
  }
  items[at] = item;
}
