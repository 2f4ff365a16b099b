import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';
import { isKnownFormat } from '../custom-resources/text-formats.ts';
import { definitionCauses } from '../validation/custom-resource-definition.ts';
import { at, defaultsOf, type Strategy } from './strategy.ts';

/**
 * apiextensions.k8s.io/v1 CustomResourceDefinition. What its controllers add within milliseconds is there at once: the
 * names are accepted and the kind is served.
 */
export const customResourceDefinition: Strategy = {
  complete: (object, before) => {
    const names = isJson(object.spec?.names) ? object.spec.names : {};
    const kind = String(names.kind ?? '');
    const defaults = { conversion: { strategy: 'None' } };
    const named = at(object, 'spec', defaultsOf(defaults));
    const whole = at(named, 'spec.names', defaultsOf({ singular: kind.toLowerCase(), listKind: `${kind}List` }));
    return before === undefined ? { ...whole, status: firstStatus(whole) } : whole;
  },
  validate: definitionCauses,
  warnings: formatWarnings,
  settled: (object, api) => ({ ...object, status: establishedStatus(object, api) }),
};

/** Formats of texts that the API server does not test. */
function formatWarnings({ spec = {} }: StoredObject): readonly string[] {
  const versions = Array.isArray(spec.versions) ? spec.versions.filter(isJson) : [];
  const unknown = versions.flatMap(({ schema }) => unknownFormats(isJson(schema) ? schema.openAPIV3Schema : undefined));
  return [...new Set(unknown)].toSorted().map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function unknownFormats(schema: unknown): readonly string[] {
  if (!isJson(schema)) return [];
  const { type, format, properties, items, additionalProperties } = schema;
  const own =
    type === 'string' && typeof format === 'string' && format !== '' && !isKnownFormat(format) ? [format] : [];
  const parts = [...Object.values(isJson(properties) ? properties : {}), items, additionalProperties];
  return [...own, ...parts.flatMap(unknownFormats)];
}

function storedVersions({ spec = {} }: StoredObject): readonly unknown[] {
  const versions = Array.isArray(spec.versions) ? spec.versions.filter(isJson) : [];
  return versions.filter(({ storage }) => storage === true).map(({ name }) => name);
}

const firstStatus = (object: StoredObject): Json => ({
  conditions: null,
  acceptedNames: { plural: '', kind: '' },
  storedVersions: storedVersions(object),
});

function establishedStatus(object: StoredObject, api: Api): Json {
  const { spec = {} } = object;
  const condition = (type: string, reason: string, message: string) => ({
    lastTransitionTime: api.now(),
    message,
    reason,
    status: 'True',
    type,
  });
  return {
    acceptedNames: spec.names,
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    storedVersions: storedVersions(object),
  };
}
