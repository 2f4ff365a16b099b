import { isJson } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { when } from '../formats.ts';

/** Which pods of a ReplicaSet go first (kubernetes, pkg/apis/core/validation, ValidatePodSpecificAnnotations). */
export function deletionCostCauses(annotations: unknown, field: string): readonly FieldCause[] {
  const key = 'controller.kubernetes.io/pod-deletion-cost';
  if (!isJson(annotations) || annotations[key] === undefined) return [];
  const cost = String(annotations[key]);
  const isWhole = /^(0|-?[1-9]\d*)$/.test(cost) && Math.abs(Number(cost)) <= 2 ** 31 - 1;
  return when(!isWhole, fieldCauses.invalid(`${field}[${key}]`, cost, 'must be a 32bit integer'));
}
