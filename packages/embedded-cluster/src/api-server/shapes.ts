import { definitionName, definitionOf, recordedCustomSchema, type Schema } from './decoding/definitions.ts';
import type { Served } from './served.ts';

/**
 * How values of a type merge and are owned, by the markers of its OpenAPI schema (`x-kubernetes-list-type`,
 * `-map-type`, `-patch-merge-key`). Without a shape an object merges member by member and a list is one value.
 */
export interface Shape {
  /** One value, owned and replaced as a whole. */
  readonly atomic: boolean;
  /** A list of distinct values. */
  readonly set: boolean;
  /** A list of objects that these members identify; the value is the default of the member. */
  readonly keys: Readonly<Record<string, unknown>> | undefined;
  /** How a strategic merge patch changes a list: by the member that identifies an object, or as a set of values. */
  readonly merges: { readonly key: string | undefined } | undefined;
  /** Whether a strategic merge patch replaces the object as a whole. */
  readonly replaces: boolean;
  /** What the server's own type has where nothing is; undefined if it has nothing there. */
  readonly zero: unknown;
  readonly schema: Schema;
}

/** Any JSON, of which the types know nothing: one value. */
const freeType = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

const shapes = new WeakMap<Schema, Shape>();

function shapeOfSchema(schema: Schema): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const whole = schema.$ref === undefined ? schema : { ...definitionOf(schema.$ref), ...schema };
  const shape: Shape = {
    atomic: whole['x-kubernetes-map-type'] === 'atomic' || schema.$ref === freeType,
    set: whole['x-kubernetes-list-type'] === 'set',
    keys: keysOf(whole),
    merges: /\bmerge\b/.test(whole['x-kubernetes-patch-strategy'] ?? '')
      ? { key: whole['x-kubernetes-patch-merge-key'] }
      : undefined,
    replaces: whole['x-kubernetes-patch-strategy'] === 'replace',
    zero: whole.zero,
    schema: whole,
  };
  shapes.set(schema, shape);
  return shape;
}

function keysOf(list: Schema): Shape['keys'] {
  if (list['x-kubernetes-list-type'] !== 'map' || list.items === undefined) return undefined;
  const item = shapeOfSchema(list.items).schema.properties ?? {};
  const keys = list['x-kubernetes-list-map-keys'] ?? [];
  return Object.fromEntries(keys.toSorted().map((key) => [key, item[key]?.default]));
}

/** The shape of a member of an object. */
export function memberOf(shape: Shape | undefined, key: string): Shape | undefined {
  if (shape === undefined) return undefined;
  const { additionalProperties } = shape.schema;
  const schema = isField(shape, key) ? shape.schema.properties?.[key] : additionalProperties;
  return typeof schema === 'object' ? shapeOfSchema(schema) : undefined;
}

/** Whether the type names the member; other members are the entries of a map. */
export function isField(shape: Shape | undefined, key: string): boolean {
  return shape?.schema.properties !== undefined && Object.hasOwn(shape.schema.properties, key);
}

/** The shape of the objects in a list. */
export function itemOf(shape: Shape | undefined): Shape | undefined {
  return shape?.schema.items === undefined ? undefined : shapeOfSchema(shape.schema.items);
}

const roots = new Map<string, Schema>();
const shapesByServed = new WeakMap<object, Shape>();

/** The shape of an object of that kind. */
export function shapeOf(served: Pick<Served, 'apiVersion' | 'kind' | 'custom' | 'schema'>): Shape {
  const known = shapesByServed.get(served);
  if (known !== undefined) return known;
  const shape = shapeByName(served);
  shapesByServed.set(served, shape);
  return shape;
}

function shapeByName({
  apiVersion,
  kind,
  custom,
  schema,
}: Pick<Served, 'apiVersion' | 'kind' | 'custom' | 'schema'>): Shape {
  if (schema !== undefined) return shapeOfSchema({ properties: { ...(schema as Schema).properties, metadata } });
  const name = `${apiVersion} ${kind}`;
  const root = roots.get(name) ?? (custom ? customRoot(apiVersion, kind) : builtInRoot(apiVersion, kind));
  roots.set(name, root);
  return shapeOfSchema(root);
}

function builtInRoot(apiVersion: string, kind: string): Schema {
  const definition = definitionName(apiVersion, kind);
  return definition === undefined ? { properties: { metadata } } : { $ref: definition };
}

function customRoot(apiVersion: string, kind: string): Schema {
  const { properties } = recordedCustomSchema(apiVersion, kind) ?? {};
  return { properties: { ...properties, metadata } };
}

const metadata: Schema = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', zero: {} };
