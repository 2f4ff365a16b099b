import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { Schema } from '../decoding/definitions.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { schemaOfMember } from './prune.ts';
import { hasFormat } from './text-formats.ts';

/**
 * The errors in a value by its schema, in the words of the API server (kube-openapi, pkg/validation). What equals the
 * version before is not looked at ("validation ratcheting").
 */
export function schemaCauses(value: unknown, schema: Schema, field: string, before: unknown): readonly FieldCause[] {
  if (value === undefined || value === null || (before !== undefined && sameJson(value, before))) return [];
  const wrong = typeCauses(value, schema, field);
  if (wrong.length > 0) return wrong;
  return [
    ...limitCauses(value, schema, field),
    ...enumCauses(value, schema, field),
    ...alternativeCauses(value, schema, field),
    ...partsCauses(value, schema, field, before),
  ];
}

/** `oneOf` and `anyOf`: if none fits, the causes of the first one that comes nearest are listed too. */
function alternativeCauses(value: unknown, schema: Schema, field: string): readonly FieldCause[] {
  const missing = (alternatives: readonly Schema[]) =>
    alternatives.map((one) => schemaCauses(value, one, field, undefined));
  const told = (words: string) => fieldCauses.invalid('<nil>', '', `${JSON.stringify(field)} must validate ${words}`);
  const one = missing(schema.oneOf ?? []);
  const fitting = one.filter((causes) => causes.length === 0).length;
  const any = missing(schema.anyOf ?? []);
  return [
    ...(one.length > 0 && fitting === 0
      ? [told('one and only one schema (oneOf). Found none valid'), ...(one[0] ?? [])]
      : []),
    ...(fitting > 1 ? [told(`one and only one schema (oneOf). Found ${fitting} valid alternatives`)] : []),
    ...(any.length > 0 && any.every((causes) => causes.length > 0)
      ? [told('at least one schema (anyOf)'), ...(any[0] ?? [])]
      : []),
  ];
}

function partsCauses(value: unknown, schema: Schema, field: string, before: unknown): readonly FieldCause[] {
  if (Array.isArray(value)) {
    const old = Array.isArray(before) ? before : [];
    return value.flatMap((item, index) => {
      const at = `${field}[${index}]`;
      const items = schema.items ?? {};
      return item === null ? typeCauses(item, items, at) : schemaCauses(item, items, at, old[index]);
    });
  }
  return isJson(value) ? memberCauses(value, schema, field, isJson(before) ? before : {}) : [];
}

function memberCauses(value: Json, schema: Schema, field: string, before: Json): readonly FieldCause[] {
  const at = (key: string) => (field === '' ? key : `${field}.${key}`);
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined);
  return [
    ...missing.map((key) => fieldCauses.required(at(key))),
    ...Object.entries(value).flatMap(([key, member]) => {
      const of = schemaOfMember(schema, key);
      return of === undefined || of === true ? [] : schemaCauses(member, of, at(key), before[key]);
    }),
  ];
}

function typeCauses(value: unknown, schema: Schema, field: string): readonly FieldCause[] {
  const actual = typeOf(value);
  const isFree = schema['x-kubernetes-int-or-string'] === true;
  const { format = '' } = schema;
  if (typeof value === 'string' && schema.type === 'string' && !hasFormat(value, format))
    return [ofType(field, value, `${field} in body must be of type ${format}: ${JSON.stringify(value)}`)];
  const expected = isFree ? 'integer,string' : schema.type;
  const fits = isFree ? actual === 'integer' || actual === 'string' : isOfType(actual, schema.type);
  if (expected === undefined || fits) return [];
  const why = `${field} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  return [ofType(field, actual, why)];
}

const ofType = (field: string, value: unknown, why: string): FieldCause => ({
  ...fieldCauses.invalid(field, value, why),
  reason: 'FieldValueTypeInvalid',
});

const isOfType = (actual: string, type: string | undefined): boolean =>
  type === undefined || actual === type || (type === 'number' && actual === 'integer');

/** The type of JSON Schema. */
export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
}

function enumCauses(value: unknown, { enum: allowed }: Schema, field: string): readonly FieldCause[] {
  if (allowed === undefined || allowed.some((one) => sameJson(one, value))) return [];
  return [fieldCauses.unsupported(field, value, allowed.map(String))];
}

function limitCauses(value: unknown, schema: Schema, field: string): readonly FieldCause[] {
  if (typeof value === 'string') return textCauses(value, schema, field);
  if (typeof value === 'number') return numberCauses(value, schema, field);
  if (Array.isArray(value)) return listCauses(value, schema, field);
  const { maxProperties = Number.POSITIVE_INFINITY } = schema;
  const count = isJson(value) ? Object.keys(value).length : 0;
  return count > maxProperties ? [fieldCauses.tooMany(field, count, maxProperties)] : [];
}

function textCauses(value: string, schema: Schema, field: string): readonly FieldCause[] {
  const { maxLength = Number.POSITIVE_INFINITY, minLength = 0, pattern } = schema;
  const length = [...value].length;
  // Only the first of them is listed.
  if (length > maxLength) return [fieldCauses.tooLong(field, maxLength)];
  const should = (words: string) => [fieldCauses.invalid(field, value, `${field} in body should ${words}`)];
  if (length < minLength) return should(`be at least ${minLength} chars long`);
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? [] : should(`match '${pattern}'`);
}

function numberCauses(value: number, schema: Schema, field: string): readonly FieldCause[] {
  const { multipleOf: step } = schema;
  const wrong = [
    ...(step === undefined || Number.isInteger(value / step) ? [] : [`a multiple of ${step}`]),
    ...aboveMaximum(value, schema),
    ...belowMinimum(value, schema),
  ];
  return wrong.map((words) => fieldCauses.invalid(field, value, `${field} in body should be ${words}`));
}

function aboveMaximum(
  value: number,
  { maximum = Number.POSITIVE_INFINITY, exclusiveMaximum }: Schema,
): readonly string[] {
  if (exclusiveMaximum === true) return value < maximum ? [] : [`less than ${maximum}`];
  return value > maximum ? [`less than or equal to ${maximum}`] : [];
}

function belowMinimum(
  value: number,
  { minimum = Number.NEGATIVE_INFINITY, exclusiveMinimum }: Schema,
): readonly string[] {
  if (exclusiveMinimum === true) return value > minimum ? [] : [`greater than ${minimum}`];
  return value < minimum ? [`greater than or equal to ${minimum}`] : [];
}

function listCauses(value: readonly unknown[], schema: Schema, field: string): readonly FieldCause[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const count = value.length;
  return [
    ...(count > maxItems ? [fieldCauses.tooMany(field, count, maxItems)] : []),
    ...(count < minItems
      ? [fieldCauses.invalid(field, count, `${field} in body should have at least ${minItems} items`)]
      : []),
    ...(schema['x-kubernetes-list-type'] === 'set' ? repeatedCauses(value, field) : []),
    ...(schema['x-kubernetes-list-type'] === 'map' ? repeatedKeyCauses(value, schema, field) : []),
  ];
}

/** Two objects of a list with the same keys. */
function repeatedKeyCauses(value: readonly unknown[], schema: Schema, field: string): readonly FieldCause[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysOf = (item: unknown) => Object.fromEntries(keys.map((key) => [key, isJson(item) ? item[key] : undefined]));
  const all = value.map((item) => JSON.stringify(keysOf(item)));
  return all.flatMap((one, index) =>
    all.indexOf(one) < index ? [fieldCauses.duplicate(`${field}[${index}]`, JSON.parse(one))] : [],
  );
}

function repeatedCauses(value: readonly unknown[], field: string): readonly FieldCause[] {
  return value.flatMap((item, index) => {
    const isRepeated = value.findIndex((one) => sameJson(one, item)) < index;
    return isRepeated ? [fieldCauses.duplicate(`${field}[${index}]`, item)] : [];
  });
}
