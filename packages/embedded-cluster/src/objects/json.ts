/** A JSON object that is never modified. */
export type Json = { readonly [field: string]: unknown };

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A frozen copy of the value that shares every part that equals its part of `before`; `before` itself when all of it
 * does. Frozen parts are not copied. Members that are `undefined` are left out, as in JSON text.
 */
export function frozen<T>(value: T, before?: unknown): T {
  if (typeof value !== 'object' || value === null || value === before) return value;
  if (Array.isArray(value)) return frozenList(value, Array.isArray(before) ? before : undefined) as T;
  return frozenObject(value as Json, isJson(before) ? before : undefined) as T;
}

function frozenList(value: readonly unknown[], before: readonly unknown[] | undefined): readonly unknown[] {
  if (before === undefined && Object.isFrozen(value)) return value;
  const items = value.map((item, index) => frozen(item, before?.[index]));
  if (before?.length === items.length && items.every((item, index) => item === before[index])) return before;
  return Object.freeze(items);
}

function frozenObject(value: Json, before: Json | undefined): Json {
  if (before === undefined && Object.isFrozen(value)) return value;
  const copy: Record<string, unknown> = {};
  let same = before !== undefined;
  let members = 0;
  for (const key in value) {
    if (value[key] === undefined) continue;
    const kept = frozen(value[key], before?.[key]);
    same &&= kept === before?.[key];
    if (key === '__proto__') Object.defineProperty(copy, key, { value: kept, enumerable: true });
    else copy[key] = kept;
    members += 1;
  }
  return same && before !== undefined && Object.keys(before).length === members ? before : Object.freeze(copy);
}

/** Equal as JSON: the order of an object's keys does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  return isJson(a) && isJson(b) && sameMembers(a, b);
}

/** Members of `a` that are `undefined` do not count; those of `b` would. */
function sameMembers(a: Json, b: Json): boolean {
  let members = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    if (!sameJson(a[key], b[key])) return false;
    members += 1;
  }
  return Object.keys(b).length === members;
}

const texts = new WeakMap<object, string>();

/** The JSON text of a frozen value, cached by identity. */
export function textOf(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}
