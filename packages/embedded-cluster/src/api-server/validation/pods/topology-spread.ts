import type { Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { oneOf, requiredCauses, when } from '../formats.ts';
import { labelKeysCauses, selectorCauses } from '../selectors.ts';

/** The errors in how the pods are spread (kubernetes, pkg/apis/core/validation, validateTopologySpreadConstraints). */
export function spreadCauses(constraints: readonly Json[], field: string): readonly FieldCause[] {
  const pairs = constraints.map(
    ({ topologyKey = '', whenUnsatisfiable = '' }) => `{${topologyKey}, ${whenUnsatisfiable}}`,
  );
  return constraints.flatMap((constraint, index) => {
    const { maxSkew = 0, topologyKey, whenUnsatisfiable = '', minDomains } = constraint;
    const at = `${field}[${index}]`;
    const pair = pairs[index];
    const isRepeated = pairs.includes(String(pair), index + 1);
    return [
      ...positive(`${at}.maxSkew`, maxSkew),
      ...requiredCauses(`${at}.topologyKey`, topologyKey, 'can not be empty'),
      ...oneOf(`${at}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
      ...when(isRepeated, fieldCauses.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair)),
      ...(minDomains === undefined ? [] : domainCauses(minDomains, whenUnsatisfiable, `${at}.minDomains`)),
      ...oneOf(`${at}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ['Honor', 'Ignore']),
      ...oneOf(`${at}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ['Honor', 'Ignore']),
      ...labelKeysCauses(constraint, at),
      ...selectorCauses(`${at}.labelSelector`, constraint.labelSelector),
    ];
  });
}

function domainCauses(minDomains: unknown, action: unknown, field: string): readonly FieldCause[] {
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [
    ...positive(field, minDomains),
    ...when(action !== 'DoNotSchedule', fieldCauses.invalid(field, minDomains, why)),
  ];
}

const positive = (field: string, value: unknown): readonly FieldCause[] =>
  when(!(Number(value) > 0), fieldCauses.invalid(field, value, 'must be greater than zero'));
