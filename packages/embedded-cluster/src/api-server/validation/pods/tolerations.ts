import type { Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, isUnset, oneOf, qualifiedNameCauses, when } from '../formats.ts';

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The errors in what taints a pod tolerates (kubernetes, pkg/apis/core/validation, ValidateTolerations). */
export function tolerationCauses(tolerations: readonly Json[], field: string): readonly FieldCause[] {
  return tolerations.flatMap((toleration, index) => {
    const { key, operator = '', effect = '', tolerationSeconds } = toleration;
    const at = `${field}[${index}]`;
    const everything = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    const timed = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    return [
      ...(isUnset(key) ? [] : qualifiedNameCauses(`${at}.key`, String(key))),
      ...when(isUnset(key) && operator !== 'Exists', fieldCauses.invalid(`${at}.operator`, operator, everything)),
      ...when(
        tolerationSeconds !== undefined && effect !== 'NoExecute',
        fieldCauses.invalid(`${at}.effect`, effect, timed),
      ),
      ...valueCauses(toleration, `${at}.operator`),
      ...(effect === '' ? [] : oneOf(`${at}.effect`, effect, taintEffects)),
    ];
  });
}

/** Said of the operator, on which it depends. */
function valueCauses({ operator = '', value = '' }: Json, field: string): readonly FieldCause[] {
  if (operator === 'Exists')
    return when(value !== '', fieldCauses.invalid(field, value, "value must be empty when `operator` is 'Exists'"));
  if (operator === 'Equal' || operator === '') return formatCauses(field, value, formats.labelValue);
  return [fieldCauses.unsupported(field, operator, ['Equal', 'Exists'])];
}
