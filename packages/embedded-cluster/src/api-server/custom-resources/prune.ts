import { isJson, type Json } from '../../objects/json.ts';
import type { Schema } from '../decoding/definitions.ts';

/** A value without the fields that its schema does not know, and these, such as `spec.nope`. */
export interface Pruned {
  readonly value: unknown;
  readonly unknown: readonly string[];
}

/**
 * Prunes a custom resource; its metadata has no schema of its own and stays (Kubernetes documentation, "Field
 * pruning").
 */
export function pruned(object: Json, schema: Schema): Pruned {
  const { metadata, ...rest } = object;
  const unknown: string[] = [];
  const value = prunedMembers(rest, schema, { field: '', unknown });
  return { value: metadata === undefined ? value : { ...value, metadata }, unknown };
}

interface Place {
  readonly field: string;
  readonly unknown: string[];
}

function prunedValue(value: unknown, schema: Schema, place: Place): unknown {
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.map((item, index) => prunedValue(item, items, { ...place, field: `${place.field}[${index}]` }));
  }
  return isJson(value) ? prunedMembers(value, schema, place) : value;
}

function prunedMembers(value: Json, schema: Schema, { field, unknown }: Place): Json {
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const at = field === '' ? key : `${field}.${key}`;
    const of = schemaOfMember(schema, key);
    if (of === undefined) unknown.push(at);
    else kept.push([key, of === true ? member : prunedValue(member, of, { field: at, unknown })]);
  }
  return Object.fromEntries(kept);
}

/** The schema of a member; true where anything may stand, undefined where nothing is known. */
export function schemaOfMember(schema: Schema, key: string): Schema | true | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, key)) return properties[key];
  if (additionalProperties !== undefined && additionalProperties !== false) return additionalProperties;
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.type === undefined ? true : undefined;
}
