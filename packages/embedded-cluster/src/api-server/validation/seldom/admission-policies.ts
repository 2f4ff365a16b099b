import { isJson, type Json } from '../../../objects/json.ts';
import type { StoredObject } from '../../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, isUnset, oneOf, qualifiedNameCauses, requiredCauses, when } from '../formats.ts';
import { itemsOf } from '../pods/containers.ts';
import { conditionCauses, matchedCauses } from './matched-requests.ts';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];
const none = 'validations or auditAnnotations must contain at least one item';

/**
 * admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy (kubernetes, pkg/apis/admissionregistration/validation).
 */
export function admissionPolicyCauses({ spec = {}, metadata }: StoredObject): readonly FieldCause[] {
  const { validations, auditAnnotations, matchConstraints, paramKind } = spec;
  const [checks, notes] = [itemsOf(validations), itemsOf(auditAnnotations)];
  const isEmpty = checks.length === 0 && notes.length === 0;
  return [
    ...oneOf('spec.failurePolicy', spec.failurePolicy, ['Fail', 'Ignore']),
    ...(isJson(paramKind) ? paramKindCauses(paramKind) : []),
    ...(isJson(matchConstraints)
      ? matchedCauses(matchConstraints, 'spec.matchConstraints', true)
      : [fieldCauses.required('spec.matchConstraints')]),
    ...conditionCauses(itemsOf(spec.matchConditions), 'spec.matchConditions'),
    ...itemsOf(spec.variables).flatMap((variable, index) => variableCauses(variable, `spec.variables[${index}]`)),
    ...when(
      isEmpty,
      fieldCauses.required('spec.validations', none),
      fieldCauses.required('spec.auditAnnotations', none),
    ),
    ...checks.flatMap(({ expression, reason }, index) => [
      ...requiredCauses(`spec.validations[${index}].expression`, expression, 'expression is not specified'),
      ...oneOf(`spec.validations[${index}].reason`, reason, reasons),
    ]),
    ...notes.flatMap(({ key = '', valueExpression }, index) => [
      ...qualifiedNameCauses(`spec.auditAnnotations[${index}].key`, `${metadata.name}/${key}`),
      ...requiredCauses(
        `spec.auditAnnotations[${index}].valueExpression`,
        valueExpression,
        'valueExpression is not specified',
      ),
    ]),
  ];
}

function paramKindCauses({ apiVersion, kind }: Json): readonly FieldCause[] {
  return [...requiredCauses('spec.paramKind.apiVersion', apiVersion), ...requiredCauses('spec.paramKind.kind', kind)];
}

function variableCauses({ name, expression }: Json, field: string): readonly FieldCause[] {
  const isIdentifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(String(name));
  return [
    ...(isUnset(name)
      ? [fieldCauses.required(`${field}.name`, 'name is not specified')]
      : when(!isIdentifier, fieldCauses.invalid(`${field}.name`, name, 'must be a valid CEL identifier'))),
    ...requiredCauses(`${field}.expression`, expression, 'expression is not specified'),
  ];
}

const actions = ['Audit', 'Deny', 'Warn'];

/** admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding. */
export function policyBindingCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const { policyName, paramRef, matchResources, validationActions } = spec;
  const list = Array.isArray(validationActions) ? validationActions : [];
  const field = 'spec.validationActions';
  return [
    ...(isUnset(policyName)
      ? [fieldCauses.required('spec.policyName')]
      : formatCauses('spec.policyName', policyName, formats.subdomain)),
    ...(isJson(paramRef) ? paramRefCauses(paramRef) : []),
    ...(isJson(matchResources) ? matchedCauses(matchResources, 'spec.matchResources', false) : []),
    ...when(list.length === 0, fieldCauses.required(field, 'at least one validation action is required')),
    ...list.flatMap((action, index) => [
      ...oneOf(`${field}[${index}]`, action, actions),
      ...when(list.indexOf(action) < index, fieldCauses.duplicate(`${field}[${index}]`, action)),
    ]),
  ];
}

function paramRefCauses({ name, selector, parameterNotFoundAction: missing }: Json): readonly FieldCause[] {
  const field = 'spec.paramRef';
  const both = 'name and selector are mutually exclusive';
  return [
    ...when(
      isUnset(name) && !isJson(selector),
      fieldCauses.required(field, 'one of name or selector must be specified'),
    ),
    ...when(!isUnset(name) && isJson(selector), fieldCauses.forbidden(`${field}.name`, both)),
    ...(isUnset(missing)
      ? [fieldCauses.required(`${field}.parameterNotFoundAction`)]
      : oneOf(`${field}.parameterNotFoundAction`, missing, ['Deny', 'Allow'])),
  ];
}
