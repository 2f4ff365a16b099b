import { isJson, type Json } from '../../objects/json.ts';
import type { Schema } from '../decoding/definitions.ts';

/** The value with the defaults of its schema for missing members; the same value if none is missing. */
export function withSchemaDefaults<T>(value: T, schema: Schema): T {
  if (Array.isArray(value))
    return sameOr(
      value,
      value.map((item) => withSchemaDefaults(item, schema.items ?? {})),
    ) as T;
  if (!isJson(value)) return value;
  const whole: Record<string, unknown> = { ...value };
  for (const [key, member] of Object.entries(schema.properties ?? {})) {
    const present = value[key] ?? member.default;
    if (present !== undefined) whole[key] = withSchemaDefaults(present, member);
  }
  for (const [key, member] of freeMembers(value, schema))
    whole[key] = withSchemaDefaults(member, schema.additionalProperties as Schema);
  return sameMembers(value, whole) ? value : (whole as T);
}

function freeMembers(value: Json, { properties = {}, additionalProperties }: Schema): readonly [string, unknown][] {
  if (typeof additionalProperties !== 'object') return [];
  return Object.entries(value).filter(([key]) => !Object.hasOwn(properties, key));
}

function sameOr(list: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  return next.every((item, index) => item === list[index]) ? list : next;
}

function sameMembers(a: Json, b: Json): boolean {
  return Object.keys(b).every((key) => a[key] === b[key]);
}
