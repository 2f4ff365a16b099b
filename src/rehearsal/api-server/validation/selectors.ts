import { isJson } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { itemsOf } from './containers.ts';
import { labelCauses, qualifiedNameCauses } from './formats.ts';

/** The errors in a label selector (apimachinery, pkg/apis/meta/v1/validation). */
export function selectorCauses(field: string, selector: unknown): readonly FieldCause[] {
  if (!isJson(selector)) return [];
  return [
    ...labelCauses(`${field}.matchLabels`, selector.matchLabels),
    ...itemsOf(selector.matchExpressions).flatMap(({ key = '', operator = '', values }, index) => {
      const at = `${field}.matchExpressions[${index}]`;
      return [
        ...operatorCauses(at, String(operator), Array.isArray(values) ? values.length : 0),
        ...qualifiedNameCauses(`${at}.key`, String(key)),
      ];
    }),
  ];
}

function operatorCauses(at: string, operator: string, count: number): readonly FieldCause[] {
  if (operator === 'In' || operator === 'NotIn')
    return count > 0
      ? []
      : [fieldCauses.required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return count === 0
      ? []
      : [fieldCauses.forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [fieldCauses.invalid(`${at}.operator`, operator, 'not a valid selector operator')];
}
