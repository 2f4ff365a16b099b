import { type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import type { Served } from '../served.ts';
import {
  annotationKeyCauses,
  formatCauses,
  formats,
  labelCauses,
  pathSegmentCauses,
  qualifiedNameCauses,
} from '../validation/formats.ts';
import { ownerCauses } from './owner-references.ts';

/** The form of a kind's names; of most it is a subdomain. */
const nameFormats: Readonly<Record<string, (typeof formats)['label' | 'serviceName'] | undefined>> = {
  Namespace: formats.label,
  Service: formats.serviceName,
  StatefulSet: formats.label,
};
const freelyNamed = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);
/** Their names are not looked at. */
const unchecked = new Set(['Event', 'PodDisruptionBudget']);

/** The errors in an object's metadata (apimachinery, pkg/api/validation). */
export function metadataCauses({ kind, custom }: Served, { metadata }: StoredObject): readonly FieldCause[] {
  const { name, annotations, generateName } = metadata as typeof metadata & { readonly generateName?: unknown };
  // An apply may hold null for a list.
  const [finalizers, ownerReferences] = [metadata.finalizers ?? [], metadata.ownerReferences ?? []];
  const unnamed = fieldCauses.required('metadata.name', 'name or generateName is required');
  const keys = Object.keys(annotations ?? {});
  return [
    ...(typeof generateName === 'string' && generateName !== '' ? prefixCauses(kind, generateName) : []),
    ...(name === '' ? [unnamed] : nameCauses(kind, name)),
    ...labelCauses('metadata.labels', metadata.labels),
    ...keys.flatMap((key) => annotationKeyCauses('metadata.annotations', key)),
    ...sizeCauses(annotations ?? {}),
    ...ownerCauses(ownerReferences as unknown as readonly Json[]),
    ...finalizers.flatMap((one, index) => finalizerCauses(one, index, custom)),
    ...bothCauses(finalizers),
  ];
}

const mostAnnotationBytes = 256 * 1024;

function sizeCauses(annotations: Readonly<Record<string, string>>): readonly FieldCause[] {
  const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return bytes > mostAnnotationBytes ? [fieldCauses.tooLong('metadata.annotations', mostAnnotationBytes)] : [];
}

/** Dependents are either deleted first or left. */
function bothCauses(finalizers: readonly string[]): readonly FieldCause[] {
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return [];
  const why = 'finalizer orphan and foregroundDeletion cannot be both set';
  return [fieldCauses.invalid('metadata.finalizers', finalizers, why)];
}

/** A prefix of a name may end with what a name may not. */
function prefixCauses(kind: string, prefix: string): readonly FieldCause[] {
  const masked = prefix.length > 1 ? prefix.replace(/-$/, 'a') : prefix;
  return nameCauses(kind, masked).map(({ message }) => ({
    reason: 'FieldValueInvalid',
    message: message.replace(JSON.stringify(masked), () => JSON.stringify(prefix)),
    field: 'metadata.generateName',
  }));
}

function nameCauses(kind: string, name: string): readonly FieldCause[] {
  if (unchecked.has(kind)) return [];
  if (freelyNamed.has(kind)) return pathSegmentCauses('metadata.name', name);
  return formatCauses('metadata.name', name, nameFormats[kind] ?? formats.subdomain);
}

const standardFinalizers = ['foregroundDeletion', 'kubernetes', 'orphan'];

const isFull = (finalizer: string): boolean => finalizer.includes('/') || standardFinalizers.includes(finalizer);

/** What a custom resource is warned of, and a built-in kind refused for. */
export function finalizerWarnings({ metadata }: StoredObject, before: StoredObject | undefined): readonly string[] {
  if (metadata.finalizers === before?.metadata.finalizers) return [];
  const why =
    'prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers';
  const bare = (metadata.finalizers ?? []).filter((one) => !isFull(one));
  return bare.map((one) => `metadata.finalizers: ${JSON.stringify(one)}: ${why}`);
}

function finalizerCauses(finalizer: string, index: number, custom: boolean): readonly FieldCause[] {
  const causes = qualifiedNameCauses('metadata.finalizers', finalizer);
  if (custom || isFull(finalizer)) return causes;
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return [...causes, fieldCauses.invalid(`metadata.finalizers[${index}]`, finalizer, why)];
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
