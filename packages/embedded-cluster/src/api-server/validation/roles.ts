import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { formatCauses, formats, isUnset, oneOf, pathSegmentCauses, requiredCauses, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';
import { isInvalidSelector, selectorCauses } from './selectors.ts';

const group = 'rbac.authorization.k8s.io';

/** rbac.authorization.k8s.io/v1 Role and ClusterRole (kubernetes, pkg/apis/rbac/validation). */
export function roleCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { rules, aggregationRule } = object as unknown as Json;
  const namespaced = object.kind === 'Role';
  const causes = [
    ...itemsOf(rules).flatMap((rule, index) => ruleCauses(rule, namespaced, `rules[${index}]`)),
    ...(isJson(aggregationRule) ? aggregationCauses(aggregationRule) : []),
  ];
  // A changed role is validated as a new one, and once more.
  return before === undefined ? causes : [...causes, ...causes];
}

function ruleCauses(rule: Json, namespaced: boolean, field: string): readonly FieldCause[] {
  const has = (key: string) => Array.isArray(rule[key]) && rule[key].length > 0;
  const verbs = when(!has('verbs'), fieldCauses.required(`${field}.verbs`, 'verbs must contain at least one value'));
  if (!has('nonResourceURLs'))
    return [
      ...verbs,
      ...when(
        !has('apiGroups'),
        fieldCauses.required(`${field}.apiGroups`, 'resource rules must supply at least one api group'),
      ),
      ...when(
        !has('resources'),
        fieldCauses.required(`${field}.resources`, 'resource rules must supply at least one resource'),
      ),
    ];
  const refused = (why: string) => fieldCauses.invalid(`${field}.nonResourceURLs`, rule.nonResourceURLs, why);
  const both = ['apiGroups', 'resources', 'resourceNames'].some(has);
  return [
    ...verbs,
    ...when(namespaced, refused('namespaced rules cannot apply to non-resource URLs')),
    ...when(both, refused('rules cannot apply to both regular resources and non-resource URLs')),
  ];
}

function aggregationCauses({ clusterRoleSelectors }: Json): readonly FieldCause[] {
  const field = 'aggregationRule.clusterRoleSelectors';
  const none = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  const selectors = itemsOf(clusterRoleSelectors);
  return [
    ...when(selectors.length === 0, fieldCauses.required(field, none)),
    ...selectors.flatMap((selector, index) => [
      ...selectorCauses(`${field}[${index}]`, selector),
      ...when(isInvalidSelector(selector), fieldCauses.invalid(`${field}[${index}]`, null, 'invalid label selector.')),
    ]),
  ];
}

/** RoleBinding and ClusterRoleBinding. */
export function bindingCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { roleRef, subjects } = object as unknown as Json;
  const namespaced = object.kind === 'RoleBinding';
  const { apiGroup = '', kind = '', name } = isJson(roleRef) ? roleRef : {};
  const roles = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const changed = before !== undefined && !sameJson(roleRef, (before as unknown as Json).roleRef);
  const shown = { APIGroup: apiGroup, Kind: kind, Name: name ?? '' };
  const causes = [
    ...oneOf('roleRef.apiGroup', apiGroup, [group]),
    ...oneOf('roleRef.kind', kind, roles),
    ...(isUnset(name) ? [fieldCauses.required('roleRef.name')] : pathSegmentCauses('roleRef.name', String(name))),
    ...itemsOf(subjects).flatMap((subject, index) => subjectCauses(subject, namespaced, `subjects[${index}]`)),
  ];
  // An update is also validated as a new object, so its errors are listed twice.
  return [
    ...causes,
    ...(before === undefined ? [] : causes),
    ...when(changed, fieldCauses.invalid('roleRef', shown, 'cannot change roleRef')),
  ];
}

function subjectCauses(subject: Json, namespaced: boolean, field: string): readonly FieldCause[] {
  const { kind = '', name, namespace, apiGroup = '' } = subject;
  const unnamed = requiredCauses(`${field}.name`, name);
  if (kind === 'User' || kind === 'Group') return [...unnamed, ...oneOf(`${field}.apiGroup`, apiGroup, [group])];
  if (kind !== 'ServiceAccount')
    return [...unnamed, fieldCauses.unsupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  return [
    ...unnamed,
    ...(isUnset(name) ? [] : formatCauses(`${field}.name`, name, formats.subdomain)),
    ...oneOf(`${field}.apiGroup`, apiGroup, ['']),
    ...(namespaced ? [] : requiredCauses(`${field}.namespace`, namespace)),
  ];
}
