import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import type { Served } from '../served.ts';

/** RFC 1123 names: most kinds take a subdomain, these take a label. */
const labelNamed = new Set(['Namespace', 'Service']);
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What is wrong with an object's metadata. */
export function metadataCauses({ kind }: Served, { metadata }: StoredObject): readonly FieldCause[] {
  const named = labelNamed.has(kind) ? nameCauses(metadata.name, label, 63) : nameCauses(metadata.name, subdomain, 253);
  return [...named, ...labelCauses('metadata.labels', metadata.labels)];
}

function nameCauses(name: string, pattern: RegExp, longest: number): readonly FieldCause[] {
  if (name === '') return [fieldCauses.required('metadata.name', 'name or generateName is required')];
  if (name.length > longest)
    return [fieldCauses.invalid('metadata.name', name, `must be no more than ${longest} bytes`)];
  if (pattern.test(name)) return [];
  const what = pattern === label ? 'label' : 'subdomain';
  return [
    fieldCauses.invalid(
      'metadata.name',
      name,
      `a lowercase RFC 1123 ${what} must consist of lower case alphanumeric characters, '-'${pattern === label ? '' : " or '.'"}, and must start and end with an alphanumeric character`,
    ),
  ];
}

function labelCauses(field: string, labels: Readonly<Record<string, unknown>> | undefined): readonly FieldCause[] {
  return Object.values(labels ?? {})
    .filter((value) => typeof value !== 'string' || !/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/.test(value))
    .map((value) =>
      fieldCauses.invalid(
        field,
        value,
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      ),
    );
}

/** A pod's spec, or a template's: containers with names and images. */
export function containerCauses(spec: unknown, field: string): readonly FieldCause[] {
  const containers = isJson(spec) ? spec.containers : undefined;
  if (!Array.isArray(containers) || containers.length === 0) return [fieldCauses.required(`${field}.containers`)];
  const names = new Set<unknown>();
  return (containers as readonly Json[]).flatMap(({ name, image }, index) => {
    const at = `${field}.containers[${index}]`;
    const repeated = names.has(name);
    names.add(name);
    return [
      ...(name === undefined || name === '' ? [fieldCauses.required(`${at}.name`)] : []),
      ...(repeated ? [fieldCauses.duplicate(`${at}.name`, name)] : []),
      ...(image === undefined || image === '' ? [fieldCauses.required(`${at}.image`)] : []),
    ];
  });
}

/** The field must be as it was. */
export function immutable(field: string, value: unknown, old: unknown): readonly FieldCause[] {
  return sameJson(value, old) ? [] : [fieldCauses.invalid(field, value, 'field is immutable')];
}

export function notNegative(field: string, value: unknown): readonly FieldCause[] {
  return typeof value === 'number' && value < 0
    ? [fieldCauses.invalid(field, value, 'must be greater than or equal to 0')]
    : [];
}

/** An int-or-string of a budget or a strategy: not negative, or a percentage. */
export function countOrPercentage(field: string, value: unknown): readonly FieldCause[] {
  if (typeof value !== 'string') return notNegative(field, value);
  return /^[0-9]+%$/.test(value)
    ? []
    : [
        fieldCauses.invalid(
          field,
          value,
          "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        ),
      ];
}
