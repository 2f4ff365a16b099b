import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { isUnset, when } from '../formats.ts';

/** The errors in the raw volumes of a container (kubernetes, pkg/apis/core/validation, ValidateVolumeDevices). */
export function deviceCauses(container: Json, field: string, volumes: readonly Json[]): readonly FieldCause[] {
  const devices = listOf(container.volumeDevices);
  const mounts = listOf(container.volumeMounts);
  return devices.flatMap((device, index) => {
    const at = `${field}[${index}]`;
    const before = devices.slice(0, index);
    return [...nameCauses(device, `${at}.name`, before, mounts, volumes), ...pathCauses(device, at, before, mounts)];
  });
}

const block = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';

function nameCauses(
  { name = '' }: Json,
  field: string,
  before: readonly Json[],
  mounts: readonly Json[],
  volumes: readonly Json[],
): readonly FieldCause[] {
  const volume = volumes.find((one) => one.name === name);
  const isClaim = isJson(volume?.persistentVolumeClaim) || isJson(volume?.ephemeral);
  const again = before.some((one) => (one.name ?? '') === name);
  return [
    ...when(name === '', fieldCauses.required(field)),
    ...when(again, fieldCauses.invalid(field, name, 'must be unique')),
    ...when(volume !== undefined && !isClaim, fieldCauses.invalid(field, name, block)),
    ...when(volume === undefined, fieldCauses.notFound(field, name)),
    ...when(
      mounts.some((mount) => mount.name === name),
      fieldCauses.invalid(field, name, 'must not already exist in volumeMounts'),
    ),
  ];
}

function pathCauses(
  { devicePath: path }: Json,
  at: string,
  before: readonly Json[],
  mounts: readonly Json[],
): readonly FieldCause[] {
  const field = `${at}.devicePath`;
  if (isUnset(path)) return [fieldCauses.required(field)];
  const invalid = (why: string) => fieldCauses.invalid(field, path, why);
  return [
    ...when(
      before.some(({ devicePath }) => devicePath === path),
      invalid('must be unique'),
    ),
    ...when(String(path).split('/').includes('..'), invalid("can not contain backsteps ('..')")),
    ...when(
      mounts.some(({ mountPath }) => mountPath === path),
      invalid('must not already exist as a path in volumeMounts'),
    ),
  ];
}

const listOf = (list: unknown): readonly Json[] => (Array.isArray(list) ? list.filter(isJson) : []);
