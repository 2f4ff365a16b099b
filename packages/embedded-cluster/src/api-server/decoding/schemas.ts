import type { Served } from '../served.ts';
import { definitionName, definitionOf, recordedCustomSchema, type Schema } from './definitions.ts';
import { type ResourcePath, typeOf } from './type-names.ts';

const metadata: Schema = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };

/** The schema of the bodies that are sent there; undefined if nothing is known of their type. */
export function schemaOf(place: ResourcePath): Schema | undefined {
  const { apiVersion, kind } = typeOf(place);
  const name = definitionName(apiVersion, kind);
  if (name !== undefined) return { $ref: name };
  return place.served.custom ? customSchemaOf(place.served) : undefined;
}

/** The schema of a custom resource: that of its definition, or of Karpenter's; undefined if its definition has none. */
export function customSchemaOf({ apiVersion, kind, schema }: Served): Schema | undefined {
  const own = (schema as Schema | undefined) ?? recordedCustomSchema(apiVersion, kind);
  if (own?.properties === undefined) return undefined;
  const text: Schema = { type: 'string' };
  return { ...own, properties: { ...own.properties, apiVersion: text, kind: text, metadata } };
}

/** What a schema says, by the definition that it refers to. */
export function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : definitionOf(schema.$ref);
}
