import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import type { Served } from '../served.ts';

/** Kinds whose names are RFC 1123 labels; all others take RFC 1123 subdomains. */
const labelNamed = new Set(['Namespace', 'Service']);
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The errors in an object's metadata. */
export function metadataCauses({ kind }: Served, { metadata }: StoredObject): readonly FieldCause[] {
  const named = labelNamed.has(kind) ? nameCauses(metadata.name, label, 63) : nameCauses(metadata.name, subdomain, 253);
  return [...named, ...labelCauses('metadata.labels', metadata.labels)];
}

function nameCauses(name: string, pattern: RegExp, maximumLength: number): readonly FieldCause[] {
  if (name === '') return [fieldCauses.required('metadata.name', 'name or generateName is required')];
  if (name.length > maximumLength)
    return [fieldCauses.invalid('metadata.name', name, `must be no more than ${maximumLength} bytes`)];
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

/** The errors in the containers of a pod's spec: each needs a name of its own and an image. */
export function containerCauses(spec: unknown, field: string): readonly FieldCause[] {
  const containers = isJson(spec) ? spec.containers : undefined;
  if (!Array.isArray(containers) || containers.length === 0) return [fieldCauses.required(`${field}.containers`)];
  const names = new Set<unknown>();
  return (containers as readonly Json[]).flatMap(({ name, image }, index) => {
    const at = `${field}.containers[${index}]`;
    const isDuplicate = names.has(name);
    names.add(name);
    return [
      ...(name === undefined || name === '' ? [fieldCauses.required(`${at}.name`)] : []),
      ...(isDuplicate ? [fieldCauses.duplicate(`${at}.name`, name)] : []),
      ...(image === undefined || image === '' ? [fieldCauses.required(`${at}.image`)] : []),
    ];
  });
}

/** An error if the field has changed. */
export function immutable(field: string, value: unknown, old: unknown): readonly FieldCause[] {
  return sameJson(value, old) ? [] : [fieldCauses.invalid(field, value, 'field is immutable')];
}

/** An error if the value is a negative number. */
export function notNegative(field: string, value: unknown): readonly FieldCause[] {
  return typeof value === 'number' && value < 0
    ? [fieldCauses.invalid(field, value, 'must be greater than or equal to 0')]
    : [];
}

/** An error if the value is neither a number of at least 0 nor a percentage. */
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
