import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCausesIfSet, formats, oneOf, requiredCauses, when } from '../formats.ts';
import { selectorCauses } from '../selectors.ts';

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
    ...dataSourceCauses(spec.dataSource, `${field}.dataSource`),
    ...dataSourceCauses(spec.dataSourceRef, `${field}.dataSourceRef`),
    ...formatCausesIfSet(`${field}.volumeAttributesClassName`, spec.volumeAttributesClassName, formats.subdomain),
  ];
}

/** The errors in what a new volume is filled with (validateDataSource). */
function dataSourceCauses(source: unknown, field: string): readonly FieldCause[] {
  if (!isJson(source)) return [];
  const { name, kind = '', apiGroup = '', namespace } = source;
  const isClaim = apiGroup !== '' || kind === 'PersistentVolumeClaim';
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...requiredCauses(`${field}.name`, name),
    ...requiredCauses(`${field}.kind`, kind),
    ...formatCausesIfSet(`${field}.apiGroup`, apiGroup, formats.subdomain),
    ...when(!isClaim, fieldCauses.invalid(field, kind, why)),
    ...formatCausesIfSet(`${field}.namespace`, namespace, formats.label),
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
