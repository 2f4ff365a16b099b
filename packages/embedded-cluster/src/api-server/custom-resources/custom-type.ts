import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Schema } from '../decoding/definitions.ts';
import { customSchemaOf } from '../decoding/schemas.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import type { Served } from '../served.ts';
import { ruleCauses } from './rules.ts';
import { schemaCauses } from './schema-causes.ts';

/** What the definition of a custom resource says about its objects. */
export interface CustomType {
  /** With the defaults of the schema. */
  readonly completed: (object: StoredObject) => StoredObject;
  /** What its schema and its rules refuse. `before` is undefined for a new object. */
  readonly causes: (
    object: StoredObject,
    before: StoredObject | undefined,
    at?: { readonly subresource?: string | undefined },
  ) => readonly FieldCause[];
}

/** The type of a custom resource; undefined if its definition has no schema. */
export function customTypeOf(served: Served): CustomType | undefined {
  const schema = customSchemaOf(served);
  if (schema === undefined) return undefined;
  const { metadata: _, ...properties } = schema.properties ?? {};
  // What every object has is not asked of its schema.
  const required = (schema.required ?? []).filter((key) => !['apiVersion', 'kind', 'metadata'].includes(key));
  const known = { ...schema, properties, required };
  return {
    completed: (object) => withSchemaDefaults(object, known),
    causes: ({ metadata: _, ...object }, before, at) => {
      const old = before && withoutMetadata(before);
      const found = schemaCauses(object, known, '', old);
      const named = at?.subresource === 'status' ? found.map(withinStatus) : found;
      const causes = [...scaleCauses(served, object), ...named];
      if (!hasRules(known)) return causes;
      if (causes.some(({ reason }) => blocking.has(reason))) return [...causes, rulesNotChecked];
      return [...causes, ...ruleCauses(object, known, '', old)];
    },
  };
}

/** The replicas of its Scale are counted. */
function scaleCauses({ scale }: Served, object: object): readonly FieldCause[] {
  const path = scale?.specReplicasPath ?? '';
  const value = path.split('.').reduce((one: unknown, step) => (step === '' || !isJson(one) ? one : one[step]), object);
  if (path === '' || typeof value !== 'number' || value >= 0) return [];
  return [fieldCauses.invalid(path, value, 'should be a non-negative integer')];
}

const withRules = new WeakMap<Schema, boolean>();

/** Whether there is a rule anywhere in the schema. Each part is looked at once. */
function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, items, additionalProperties } = schema;
  const parts = [...Object.values(properties), items, additionalProperties].filter((part) => typeof part === 'object');
  const found = schema['x-kubernetes-validations'] !== undefined || parts.some(hasRules);
  withRules.set(schema, found);
  return found;
}

/**
 * A status is validated by itself: the words name its fields without it (apiextensions-apiserver,
 * ValidateStatusUpdate).
 */
const withinStatus = (cause: FieldCause): FieldCause => ({
  ...cause,
  message: cause.message.replace(/: status\.(?=[^"]* in body )/, ': '),
});

function withoutMetadata({ metadata: _, ...object }: StoredObject): object {
  return object;
}

/** With one of these the rules are not asked (apiextensions-apiserver, pkg/registry/customresource, hasBlockingErr). */
const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesNotChecked: FieldCause = fieldCauses.invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** The value with the defaults of its schema for missing members; the same value if none is missing. */
function withSchemaDefaults<T>(value: T, schema: Schema): T {
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
