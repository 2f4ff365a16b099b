import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { isUnset, oneOf, qualifiedNameCauses, when } from '../formats.ts';
import { itemsOf } from '../pods/containers.ts';
import { selectorCauses } from '../selectors.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

/**
 * The errors in which requests a webhook or a policy is for (kubernetes, pkg/apis/admissionregistration/validation,
 * validateRule).
 */
export function requestRuleCauses(rule: Json, field: string): readonly FieldCause[] {
  const list = (key: string): readonly unknown[] => (Array.isArray(rule[key]) ? rule[key] : []);
  const needed = (key: string) => when(list(key).length === 0, fieldCauses.required(`${field}.${key}`));
  const alone = (key: string) => {
    const why = "if '*' is present, must not specify other";
    const mixed = list(key).includes('*') && list(key).length > 1;
    return when(mixed, fieldCauses.invalid(`${field}.${key}`, list(key), `${why} ${wordsOf[key]}`));
  };
  const empty = (key: string) =>
    list(key).flatMap((one, index) => when(one === '', fieldCauses.required(`${field}.${key}[${index}]`)));
  return [
    ...needed('operations'),
    ...alone('operations'),
    ...list('operations').flatMap((one, index) => oneOf(`${field}.operations[${index}]`, one, operations)),
    ...needed('apiGroups'),
    ...alone('apiGroups'),
    ...needed('apiVersions'),
    ...alone('apiVersions'),
    ...empty('apiVersions'),
    ...needed('resources'),
    ...empty('resources'),
    ...oneOf(`${field}.scope`, rule.scope, scopes),
  ];
}

const wordsOf: Readonly<Record<string, string>> = {
  apiGroups: 'API groups',
  apiVersions: 'API versions',
  operations: 'operations',
};

/** The errors in what a policy is for (validateMatchResources). */
export function matchedCauses(matched: Json, field: string, needsRules: boolean): readonly FieldCause[] {
  const rules = (key: string) =>
    itemsOf(matched[key]).flatMap((rule, index) => [
      ...repeatedNameCauses(rule, `${field}.${key}[${index}].resourceNames`),
      ...requestRuleCauses(rule, `${field}.${key}[${index}]`),
    ]);
  const none = needsRules && itemsOf(matched.resourceRules).length === 0;
  return [
    ...oneOf(`${field}.matchPolicy`, matched.matchPolicy, ['Equivalent', 'Exact']),
    ...selectorCauses(`${field}.namespaceSelector`, matched.namespaceSelector),
    ...selectorCauses(`${field}.objectSelector`, matched.objectSelector),
    ...when(none, fieldCauses.required(`${field}.resourceRules`)),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

function repeatedNameCauses({ resourceNames }: Json, field: string): readonly FieldCause[] {
  const names = Array.isArray(resourceNames) ? resourceNames : [];
  return names.flatMap((name, index) =>
    when(names.indexOf(name) < index, fieldCauses.duplicate(`${field}[${index}]`, name)),
  );
}

/** The errors in conditions in CEL, whose expressions are not compiled here (validateMatchConditions). */
export function conditionCauses(conditions: readonly Json[], field: string): readonly FieldCause[] {
  const names = conditions.map(({ name }) => name);
  return conditions.flatMap(({ name, expression }, index) => {
    const at = `${field}[${index}]`;
    return [
      ...when(isUnset(expression), fieldCauses.required(`${at}.expression`)),
      ...(isUnset(name) ? [fieldCauses.required(`${at}.name`)] : qualifiedNameCauses(`${at}.name`, String(name))),
      ...when(!isUnset(name) && names.indexOf(name) < index, fieldCauses.duplicate(`${at}.name`, name)),
    ];
  });
}

export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
