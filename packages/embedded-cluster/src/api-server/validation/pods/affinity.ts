import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, isUnset, qualifiedNameCauses, when } from '../formats.ts';
import { labelKeysCauses, selectorCauses } from '../selectors.ts';
import { itemsOf } from './containers.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The errors in where a pod wants to be (kubernetes, pkg/apis/core/validation, validateAffinity). */
export function affinityCauses(affinity: unknown, field: string): readonly FieldCause[] {
  if (!isJson(affinity)) return [];
  return [
    ...nodeAffinityCauses(affinity.nodeAffinity, `${field}.nodeAffinity`),
    ...podAffinityCauses(affinity.podAffinity, `${field}.podAffinity`),
    ...podAffinityCauses(affinity.podAntiAffinity, `${field}.podAntiAffinity`),
  ];
}

function nodeAffinityCauses(affinity: unknown, field: string): readonly FieldCause[] {
  if (!isJson(affinity)) return [];
  const needed = affinity[required];
  return [
    ...(isJson(needed) ? nodeSelectorCauses(needed, `${field}.${required}`) : []),
    ...itemsOf(affinity[preferred]).flatMap(({ weight, preference }, index) => [
      ...weightCauses(`${field}.${preferred}[${index}].weight`, weight),
      ...termCauses(isJson(preference) ? preference : {}, `${field}.${preferred}[${index}].preference`, false),
    ]),
  ];
}

/** The errors in terms of which a node must fulfil one: of a pod's affinity and of a volume's. */
export function nodeSelectorCauses({ nodeSelectorTerms }: Json, field: string): readonly FieldCause[] {
  const terms = itemsOf(nodeSelectorTerms);
  const at = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) return [fieldCauses.required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => termCauses(term, `${at}[${index}]`, true));
}

function termCauses(term: Json, field: string, withValues: boolean): readonly FieldCause[] {
  return [
    ...itemsOf(term.matchExpressions).flatMap((requirement, index) =>
      requirementCauses(requirement, `${field}.matchExpressions[${index}]`, withValues),
    ),
    ...itemsOf(term.matchFields).flatMap((requirement, index) =>
      fieldRequirementCauses(requirement, `${field}.matchFields[${index}]`),
    ),
  ];
}

function requirementCauses(
  { key = '', operator = '', values }: Json,
  field: string,
  withValues: boolean,
): readonly FieldCause[] {
  const list = Array.isArray(values) ? values : [];
  return [
    ...operatorCauses(String(operator), list.length, field),
    ...qualifiedNameCauses(`${field}.key`, String(key)),
    ...(withValues ? list : []).flatMap((value, index) =>
      formatCauses(`${field}.values[${index}]`, value, formats.labelValue),
    ),
  ];
}

function operatorCauses(operator: string, count: number, field: string): readonly FieldCause[] {
  const at = `${field}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return when(count === 0, fieldCauses.required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
    case 'Exists':
    case 'DoesNotExist':
      return when(
        count > 0,
        fieldCauses.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    case 'Gt':
    case 'Lt':
      return when(
        count !== 1,
        fieldCauses.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
      );
    default:
      return [fieldCauses.invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

function fieldRequirementCauses({ key = '', operator = '', values }: Json, field: string): readonly FieldCause[] {
  const list = Array.isArray(values) ? values : [];
  const isKnown = operator === 'In' || operator === 'NotIn';
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [
    ...when(isKnown && list.length !== 1, fieldCauses.required(`${field}.values`, one)),
    ...when(!isKnown, fieldCauses.invalid(`${field}.operator`, operator, 'not a valid selector operator')),
    ...(key === 'metadata.name'
      ? list.flatMap((value, index) => formatCauses(`${field}.values[${index}]`, value, formats.subdomain))
      : [fieldCauses.invalid(`${field}.key`, key, 'not a valid field selector key')]),
  ];
}

function podAffinityCauses(affinity: unknown, field: string): readonly FieldCause[] {
  if (!isJson(affinity)) return [];
  return [
    ...itemsOf(affinity[required]).flatMap((term, index) => podTermCauses(term, `${field}.${required}[${index}]`)),
    ...itemsOf(affinity[preferred]).flatMap(({ weight, podAffinityTerm }, index) => [
      ...weightCauses(`${field}.${preferred}[${index}].weight`, weight),
      ...podTermCauses(
        isJson(podAffinityTerm) ? podAffinityTerm : {},
        `${field}.${preferred}[${index}].podAffinityTerm`,
      ),
    ]),
  ];
}

function podTermCauses(term: Json, field: string): readonly FieldCause[] {
  const { labelSelector, topologyKey, namespaces } = term;
  return [
    ...selectorCauses(`${field}.labelSelector`, labelSelector),
    ...selectorCauses(`${field}.namespaceSelector`, term.namespaceSelector),
    ...(Array.isArray(namespaces) ? namespaces : []).flatMap((name) =>
      formatCauses(`${field}.namespace`, name, formats.label),
    ),
    ...labelKeysCauses(term, field),
    ...when(isUnset(topologyKey), fieldCauses.required(`${field}.topologyKey`, 'can not be empty')),
    ...qualifiedNameCauses(`${field}.topologyKey`, String(topologyKey ?? '')),
  ];
}

function weightCauses(field: string, weight: unknown = 0): readonly FieldCause[] {
  const isIn = Number(weight) >= 1 && Number(weight) <= 100;
  return when(!isIn, fieldCauses.invalid(field, weight, 'must be in the range 1-100'));
}
