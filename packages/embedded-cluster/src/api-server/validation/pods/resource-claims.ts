import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, isUnset, oneOf, when } from '../formats.ts';

/** The errors in what a pod claims of devices (kubernetes, pkg/apis/core/validation, validatePodResourceClaims). */
export function resourceClaimsCauses(claims: readonly Json[], field: string): readonly FieldCause[] {
  const names = claims.map(({ name }) => name);
  return claims.flatMap((claim, index) => {
    const at = `${field}[${index}]`;
    const { name, resourceClaimName: own, resourceClaimTemplateName: template } = claim;
    const shown = { Name: name ?? '', ResourceClaimName: own ?? null, ResourceClaimTemplateName: template ?? null };
    const one = (why: string) => fieldCauses.invalid(at, shown, why);
    const sources = '`resourceClaimName`, `resourceClaimTemplateName`';
    return [
      ...(isUnset(name) ? [fieldCauses.required(`${at}.name`)] : formatCauses(`${at}.name`, name, formats.label)),
      ...when(!isUnset(name) && names.indexOf(name) < index, fieldCauses.duplicate(`${at}.name`, name)),
      ...when(own !== undefined && template !== undefined, one(`at most one of ${sources} may be specified`)),
      ...when(own === undefined && template === undefined, one(`must specify one of: ${sources}`)),
      ...ofSource(`${at}.resourceClaimName`, own),
      ...ofSource(`${at}.resourceClaimTemplateName`, template),
    ];
  });
}

const ofSource = (field: string, name: unknown): readonly FieldCause[] =>
  name === undefined ? [] : formatCauses(field, name, formats.subdomain);

/** The errors in the claims that a container uses: each is one of its pod's. */
export function usedClaimsCauses(resources: unknown, field: string, claims: readonly unknown[]): readonly FieldCause[] {
  const used = isJson(resources) && Array.isArray(resources.claims) ? resources.claims.filter(isJson) : [];
  const which = claims.length === 0 ? ' which is empty' : `: ${claims.map(String).toSorted().join(', ')}`;
  const keys = used.map(({ name, request }) => `${name}/${request ?? ''}`);
  return used.flatMap(({ name }, index) => {
    const at = `${field}.claims[${index}]`;
    if (isUnset(name)) return [fieldCauses.required(at)];
    if (keys.indexOf(keys[index] ?? '') < index) return [fieldCauses.duplicate(at, name)];
    const missing = fieldCauses.notFound(at, name, `must be one of the names in pod.spec.resourceClaims${which}`);
    return when(!claims.includes(name), missing);
  });
}

const resizable = ['cpu', 'memory'];
const resizes = ['NotRequired', 'RestartContainer'];

/** The errors in what a container does about other resources (validateResizePolicy): all of them name the list. */
export function resizePolicyCauses(
  policies: readonly Json[],
  field: string,
  podRestartPolicy: unknown,
): readonly FieldCause[] {
  const names = policies.map(({ resourceName }) => resourceName);
  const one = (value: unknown, known: readonly string[]) =>
    isUnset(value) ? [fieldCauses.required(field)] : oneOf(field, value, known);
  const why = "must be 'NotRequired' when `restartPolicy` is 'Never'";
  return policies.flatMap(({ resourceName, restartPolicy }, index) => [
    ...when(names.indexOf(resourceName) < index, fieldCauses.duplicate(field, resourceName ?? '')),
    ...one(resourceName, resizable),
    ...one(restartPolicy, resizes),
    ...when(
      podRestartPolicy === 'Never' && restartPolicy === 'RestartContainer',
      fieldCauses.invalid(field, restartPolicy, why),
    ),
  ]);
}
