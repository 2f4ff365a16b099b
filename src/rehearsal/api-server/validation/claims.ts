import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { formatCausesIfSet, formats, oneOf, when } from './formats.ts';
import { selectorCauses } from './selectors.ts';

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

/** The errors in what a claim asks for (kubernetes, pkg/apis/core/validation, ValidatePersistentVolumeClaimSpec). */
export function claimSpecCauses(spec: Json, field: string): readonly FieldCause[] {
  const { storageClassName, volumeMode, selector } = spec;
  return [
    ...accessModeCauses(spec, field, 'at least 1 access mode is required'),
    ...selectorCauses(`${field}.selector`, selector),
    ...storageCauses(spec.resources, `${field}.resources[storage]`),
    ...formatCausesIfSet(`${field}.storageClassName`, storageClassName, formats.subdomain),
    ...oneOf(`${field}.volumeMode`, volumeMode, volumeModes),
  ];
}

/** The errors in the ways in which nodes may mount a volume. */
export function accessModeCauses({ accessModes: sent }: Json, field: string, none: string): readonly FieldCause[] {
  const modes = Array.isArray(sent) ? sent : [];
  const at = `${field}.accessModes`;
  const exclusive =
    modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  return [
    ...when(modes.length === 0, fieldCauses.required(at, none)),
    ...modes.flatMap((mode) => oneOf(at, mode, accessModes)),
    ...when(exclusive, fieldCauses.forbidden(at, 'may not use ReadWriteOncePod with other access modes')),
  ];
}

function storageCauses(resources: unknown, field: string): readonly FieldCause[] {
  const requests = isJson(resources) && isJson(resources.requests) ? resources.requests : {};
  const { storage } = requests;
  if (storage === undefined) return [fieldCauses.required(field)];
  const isPositive = !String(storage).startsWith('-') && Number.parseFloat(String(storage)) > 0;
  return when(!isPositive, fieldCauses.invalid(field, storage, 'must be greater than zero'));
}
