import type { Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { addressCauses, formatCausesIfSet, formats, qualifiedNameCauses, when } from '../formats.ts';
import { itemsOf } from './containers.ts';

/** The errors in another status of a pod (kubernetes, pkg/apis/core/validation, ValidatePodStatusUpdate). */
export function podStatusCauses(status: Json | undefined, before: Json | undefined): readonly FieldCause[] {
  if (status === undefined || status === before) return [];
  const { qosClass, nominatedNodeName } = status;
  const isOther = qosClass !== undefined && before?.qosClass !== undefined && qosClass !== before.qosClass;
  return [
    ...formatCausesIfSet('status.nominatedNodeName', nominatedNodeName, formats.subdomain),
    ...itemsOf(status.conditions).flatMap(({ type }, index) =>
      qualifiedNameCauses(`status.conditions[${index}].Type`, String(type ?? '')),
    ),
    ...itemsOf(status.podIPs).flatMap(({ ip }, index) => addressCauses(`status.podIPs[${index}]`, ip ?? '')),
    ...when(isOther, fieldCauses.invalid('status.qosClass', qosClass, 'field is immutable')),
  ];
}
