import type { StoredObject } from '../../objects/objects.ts';
import { customSchemaOf } from '../decoding/schemas.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import type { Served } from '../served.ts';
import { withSchemaDefaults } from './defaults.ts';
import { ruleCauses } from './rules.ts';
import { schemaCauses } from './schema-causes.ts';

/** What the definition of a custom resource says about its objects. */
export interface CustomType {
  /** With the defaults of the schema. */
  readonly completed: (object: StoredObject) => StoredObject;
  /** What its schema and its rules refuse. `before` is undefined for a new object. */
  readonly causes: (object: StoredObject, before: StoredObject | undefined) => readonly FieldCause[];
}

/** The type of a custom resource; undefined if its definition has no schema. */
export function customTypeOf(served: Served): CustomType | undefined {
  const schema = customSchemaOf(served);
  if (schema === undefined) return undefined;
  const { metadata: _, ...properties } = schema.properties ?? {};
  const known = { ...schema, properties };
  return {
    completed: (object) => withSchemaDefaults(object, known),
    causes: ({ metadata: _, ...object }, before) => {
      const old = before && withoutMetadata(before);
      const causes = schemaCauses(object, known, '', old);
      if (causes.some(({ reason }) => blocking.has(reason))) return [...causes, rulesNotChecked];
      return [...causes, ...ruleCauses(object, known, '', old)];
    },
  };
}

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
