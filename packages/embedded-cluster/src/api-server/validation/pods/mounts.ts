import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { isUnset, oneOf, requiredCauses, when } from '../formats.ts';
import { descendingPathCauses } from './paths.ts';

/**
 * The errors in what a container mounts; some are said of the whole list (kubernetes, pkg/apis/core/validation,
 * ValidateVolumeMounts).
 */
export function mountCauses(container: Json, field: string, volumes: readonly unknown[]): readonly FieldCause[] {
  const mounts = Array.isArray(container.volumeMounts) ? container.volumeMounts.filter(isJson) : [];
  const places = mounts.map(({ mountPath }) => mountPath);
  return mounts.flatMap((mount, index) => {
    const { name = '', mountPath } = mount;
    const at = `${field}[${index}]`;
    const again = places.indexOf(mountPath) < index;
    return [
      ...requiredCauses(`${at}.name`, name),
      ...when(!volumes.includes(name), fieldCauses.notFound(`${at}.name`, name)),
      ...requiredCauses(`${at}.mountPath`, mountPath),
      ...when(again, fieldCauses.invalid(`${at}.mountPath`, mountPath ?? '', 'must be unique')),
      ...partCauses(mount, field, at),
      ...propagationCauses(mount, field, container),
      ...recursiveCauses(mount, `${field}.recursiveReadOnly`),
    ];
  });
}

function partCauses({ subPath, subPathExpr }: Json, field: string, at: string): readonly FieldCause[] {
  const both = !(isUnset(subPath) || isUnset(subPathExpr));
  const why = 'subPathExpr and subPath are mutually exclusive';
  return [
    ...(isUnset(subPath) ? [] : descendingPathCauses(`${field}.subPath`, String(subPath))),
    ...when(both, fieldCauses.invalid(`${at}.subPathExpr`, subPathExpr, why)),
    ...(isUnset(subPathExpr) ? [] : descendingPathCauses(`${field}.subPathExpr`, String(subPathExpr))),
  ];
}

/** Whether what is mounted within is read-only too. */
function recursiveCauses(
  { recursiveReadOnly: how, readOnly, mountPropagation }: Json,
  field: string,
): readonly FieldCause[] {
  if (how === undefined || how === 'Disabled') return [];
  if (how !== 'Enabled' && how !== 'IfPossible') return oneOf(field, how, ['Disabled', 'Enabled', 'IfPossible']);
  const propagates = mountPropagation !== undefined && mountPropagation !== 'None';
  return [
    ...when(readOnly !== true, fieldCauses.forbidden(field, 'may only be specified when readOnly is true')),
    ...when(
      propagates,
      fieldCauses.forbidden(field, 'may only be specified when mountPropagation is None or not specified'),
    ),
  ];
}

function propagationCauses({ mountPropagation }: Json, field: string, container: Json): readonly FieldCause[] {
  const { privileged } = isJson(container.securityContext) ? container.securityContext : {};
  const at = `${field}.mountPropagation`;
  const why = 'Bidirectional mount propagation is available only to privileged containers';
  return [
    ...oneOf(at, mountPropagation, ['Bidirectional', 'HostToContainer', 'None']),
    ...when(mountPropagation === 'Bidirectional' && privileged !== true, fieldCauses.forbidden(at, why)),
  ];
}
