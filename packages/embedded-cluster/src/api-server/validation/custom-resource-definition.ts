import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { immutable } from '../strategies/validation.ts';
import { formatCauses, formats, oneOf, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';

/** apiextensions.k8s.io/v1 CustomResourceDefinition (apiextensions-apiserver, pkg/apis/apiextensions/validation). */
export function definitionCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { metadata, spec = {}, status = {} } = object;
  if (spec === before?.spec) return [];
  const names: Json = isJson(spec.names) ? spec.names : {};
  const wanted = `${names.plural ?? ''}.${spec.group ?? ''}`;
  const misnamed = fieldCauses.invalid('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group');
  const versions = itemsOf(spec.versions);
  return [
    ...when(metadata.name !== wanted, misnamed),
    ...oneOf('spec.scope', spec.scope, ['Cluster', 'Namespaced']),
    ...versions.flatMap(versionCauses),
    ...storageCauses(versions, spec.versions),
    ...(before === undefined ? [] : immutable('spec.scope', spec.scope, before.spec?.scope)),
    ...storedCauses(versions, before === undefined ? undefined : status.storedVersions),
  ];
}

function versionCauses({ name, schema }: Json, index: number): readonly FieldCause[] {
  const field = `spec.versions[${index}]`;
  const { openAPIV3Schema }: Json = isJson(schema) ? schema : {};
  const missing = [fieldCauses.required(`${field}.schema.openAPIV3Schema`)];
  return [
    ...formatCauses(`${field}.name`, name, formats.serviceName),
    ...(isJson(openAPIV3Schema) ? typeCauses(openAPIV3Schema, 'spec.validation.openAPIV3Schema') : missing),
  ];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function typeCauses({ type, properties, items }: Json, field: string): readonly FieldCause[] {
  return [
    ...when(type !== undefined && !types.includes(String(type)), fieldCauses.unsupported(`${field}.type`, type, types)),
    ...Object.entries(isJson(properties) ? properties : {}).flatMap(([key, member]) =>
      isJson(member) ? typeCauses(member, `${field}.properties[${key}]`) : [],
    ),
    ...(isJson(items) ? typeCauses(items, `${field}.items`) : []),
  ];
}

function storageCauses(versions: readonly Json[], sent: unknown): readonly FieldCause[] {
  const stored = versions.filter(({ storage }) => storage === true);
  const why = 'must have exactly one version marked as storage version';
  return when(stored.length !== 1, fieldCauses.invalid('spec.versions', sent ?? [], why));
}

/** A new definition stores the versions that are marked as stored. */
function storedCauses(versions: readonly Json[], before: unknown): readonly FieldCause[] {
  const field = 'status.storedVersions';
  if (!Array.isArray(before)) {
    const isNone = !versions.some(({ storage }) => storage === true);
    return when(isNone, fieldCauses.invalid(field, null, 'must have at least one stored version'));
  }
  return before.flatMap((name, index) => {
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    const isGone = !versions.some((version) => version.name === name);
    return when(isGone, fieldCauses.invalid(`${field}[${index}]`, name, why));
  });
}
