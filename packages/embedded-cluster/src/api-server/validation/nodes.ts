import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { rangeCauses } from './addresses.ts';
import { formatCauses, formats, isUnset, oneOf, qualifiedNameCauses, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';
import { taintEffects } from './pods/tolerations.ts';

/** core/v1 Node (kubernetes, pkg/apis/core/validation, ValidateNode and ValidateNodeUpdate). */
export function nodeCauses({ spec = {} }: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  const ofTaints = taintCauses(itemsOf(spec.taints));
  // Of an update the API server checks the taints twice.
  return before === undefined
    ? [...ofTaints, ...blockCauses(spec)]
    : [...ofTaints, ...changedCauses(spec, before.spec ?? {}), ...ofTaints];
}

/** The blocks of its pods' addresses; one that is named alone is the first of them. */
function blockCauses({ podCIDR, podCIDRs }: Json): readonly FieldCause[] {
  const blocks = Array.isArray(podCIDRs) ? podCIDRs.map(String) : isUnset(podCIDR) ? [] : [String(podCIDR)];
  return blocks.flatMap((block, index) => rangeCauses(`spec.podCIDRs[${index}]`, block));
}

function changedCauses(spec: Json, old: Json): readonly FieldCause[] {
  const fixed = (key: string, called: string, why: string) =>
    when(!isUnset(old[key]) && spec[key] !== old[key], fieldCauses.forbidden(`spec.${called}`, why));
  return [
    ...fixed('podCIDR', 'podCIDRs', 'node updates may not change podCIDR except from "" to valid'),
    ...fixed('providerID', 'providerID', 'node updates may not change providerID except from "" to valid'),
  ];
}

function taintCauses(taints: readonly Json[]): readonly FieldCause[] {
  const pairs = taints.map(({ key, effect }) => `${key}:${effect}`);
  return taints.flatMap(({ key = '', value = '', effect = '', timeAdded = null }, index) => {
    const at = `metadata.taints[${index}]`;
    const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded };
    const again = pairs.indexOf(`${key}:${effect}`) < index;
    return [
      ...qualifiedNameCauses(`${at}.key`, String(key)),
      ...formatCauses(`${at}.value`, value, formats.labelValue),
      ...(effect === '' ? [fieldCauses.required(`${at}.effect`)] : oneOf(`${at}.effect`, effect, taintEffects)),
      ...when(again, fieldCauses.duplicate(at, shown, 'taints must be unique by key and effect pair')),
    ];
  });
}
