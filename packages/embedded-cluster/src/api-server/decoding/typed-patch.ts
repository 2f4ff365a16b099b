import { isJson, type Json } from '../../objects/json.ts';
import type { Schema } from './definitions.ts';
import { goText } from './go-values.ts';
import { resolved } from './schemas.ts';

/**
 * Why a value does not fit its type, in the words of structured-merge-diff, which server-side apply uses; undefined if
 * it fits.
 */
export function typedPatchFault(value: unknown, schema: Schema): string | undefined {
  const faults = faultsOf(value, schema, '');
  return faults.length > 1 ? ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n') : faults[0];
}

function faultsOf(value: unknown, schema: Schema, path: string): readonly string[] {
  const known = resolved(schema);
  if (value === null || isAnything(schema, known)) return [];
  if (isScalar(schema, known))
    return typeof value === 'object' ? [`${path}: expected any scalar, got ${shown(value)}`] : [];
  if (known.type === 'array') return faultsOfList(value, known, path);
  if (known.type === 'object' || known.properties !== undefined) return faultsOfMap(value, known, path);
  const fault = simpleFault(value, known);
  return fault === undefined ? [] : [`${path}: ${fault}`];
}

const apimachinery = 'io.k8s.apimachinery.pkg.';
const freeTypes = new Set([`${apimachinery}runtime.RawExtension`, `${apimachinery}apis.meta.v1.FieldsV1`]);
const scalarTypes = new Set(
  ['api.resource.Quantity', 'util.intstr.IntOrString', 'apis.meta.v1.Time', 'apis.meta.v1.MicroTime'].map(
    (name) => apimachinery + name,
  ),
);

function isAnything({ $ref = '' }: Schema, known: Schema): boolean {
  const isOpen = known['x-kubernetes-preserve-unknown-fields'] === true && known.properties === undefined;
  return (
    freeTypes.has($ref) ||
    isOpen ||
    (known.type === undefined && known.properties === undefined && !isIntOrString(known))
  );
}

function isScalar({ $ref = '' }: Schema, known: Schema): boolean {
  return scalarTypes.has($ref) || isIntOrString(known);
}

const isIntOrString = (schema: Schema): boolean => schema['x-kubernetes-int-or-string'] === true;

function faultsOfList(value: unknown, schema: Schema, path: string): readonly string[] {
  const { items = {} } = schema;
  if (!Array.isArray(value)) return [`${path}: expected list, got ${shown(value)}`];
  const keys = value.map((item) => keyOf(item, schema));
  return value.flatMap((item, index) => {
    const key = keys[index];
    const again = key !== undefined && keys.indexOf(key) < index;
    return [
      ...(again ? [`${path}: duplicate entries for key ${key}`] : []),
      ...faultsOf(item, items, key === undefined ? `${path}[${index}]` : `${path}${key}`),
    ];
  });
}

/** What an item of a set or of an associative list is known by, such as `[name="web"]`; undefined of another list. */
function keyOf(item: unknown, schema: Schema): string | undefined {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return typeof item === 'string' ? `[=${JSON.stringify(item)}]` : undefined;
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  if (type !== 'map' || !isJson(item)) return undefined;
  const properties = resolved(schema.items ?? {}).properties ?? {};
  const values = names.map((name) => [name, item[name] ?? properties[name]?.default] as const);
  if (values.some(([, value]) => value === undefined || value === null)) return undefined;
  const sorted = values.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `[${sorted.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}

function faultsOfMap(value: unknown, schema: Schema, path: string): readonly string[] {
  if (!isJson(value)) return [`${path}: expected map, got ${shown(value)}`];
  return Object.entries(value as Json).flatMap(([key, member]) => {
    const of = memberSchema(schema, key);
    return of === undefined ? [`${path}.${key}: field not declared in schema`] : faultsOf(member, of, `${path}.${key}`);
  });
}

function memberSchema({ properties = {}, additionalProperties, ...schema }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  if (typeof additionalProperties === 'object') return additionalProperties;
  const isOpen = additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen || Object.keys(properties).length === 0 ? {} : undefined;
}

function simpleFault(value: unknown, { type }: Schema): string | undefined {
  if ((type === 'integer' || type === 'number') && typeof value !== 'number')
    return `expected numeric (int or float), got ${goTypeOf(value)}`;
  if (type === 'string' && typeof value !== 'string')
    return `expected string, got &value.valueUnstructured{Value:${goText(value)}}`;
  return type === 'boolean' && typeof value !== 'boolean' ? `expected boolean, got ${shown(value)}` : undefined;
}

const shown = (value: unknown): string => `&{${goText(value)}}`;

function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isJson(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
