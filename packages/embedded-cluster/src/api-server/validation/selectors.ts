import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { formatCauses, formats, labelCauses, qualifiedNameCauses } from './formats.ts';
import { itemsOf } from './pods/containers.ts';

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
        ...(Array.isArray(values) ? values : []).flatMap((value, place) =>
          formatCauses(`${at}.values[${place}]`, value, formats.labelValue),
        ),
      ];
    }),
  ];
}

/** A selector as a refusal shows it: in the order of its type, and without empty lists. */
export function shownSelector(selector: unknown): unknown {
  if (!isJson(selector)) return selector;
  const { matchExpressions, matchLabels, ...rest } = selector;
  const expressions = itemsOf(matchExpressions).map(({ key = '', operator = '', values }) => ({
    key,
    operator,
    ...(Array.isArray(values) && values.length > 0 && { values }),
  }));
  return {
    ...(matchLabels !== undefined && { matchLabels }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
    ...rest,
  };
}

/** Whether the API server cannot make a test of it. */
export function isInvalidSelector(selector: Json): boolean {
  return selectorCauses('', selector).length > 0;
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

/**
 * The errors in keys whose values the selector takes from the pod itself (kubernetes, pkg/apis/core/validation,
 * validateLabelKeys).
 */
export function labelKeysCauses(
  { matchLabelKeys, mismatchLabelKeys, labelSelector }: Json,
  field: string,
): readonly FieldCause[] {
  const [like, unlike] = [listOf(matchLabelKeys), listOf(mismatchLabelKeys)];
  const both = 'exists in both matchLabelKeys and mismatchLabelKeys';
  return [
    ...keysCauses(like, labelSelector, `${field}.matchLabelKeys`),
    ...keysCauses(unlike, labelSelector, `${field}.mismatchLabelKeys`),
    ...like.flatMap((key, index) =>
      unlike.includes(key) ? [fieldCauses.invalid(`${field}.matchLabelKeys[${index}]`, key, both)] : [],
    ),
  ];
}

function keysCauses(keys: readonly string[], selector: unknown, field: string): readonly FieldCause[] {
  if (keys.length === 0) return [];
  if (!isJson(selector)) return [fieldCauses.forbidden(field, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => qualifiedNameCauses(`${field}[${index}]`, key));
}

const listOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);
