import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { immutable } from '../strategies/validation.ts';
import { oneOf, when } from './formats.ts';

const highestOfUsers = 1_000_000_000;
const ofSystem = ['system-cluster-critical', 'system-node-critical'];

/** scheduling.k8s.io/v1 PriorityClass (kubernetes, pkg/apis/scheduling/validation). */
export function priorityClassCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const { value = 0, preemptionPolicy } = object as unknown as Json;
  const { name } = object.metadata;
  if (before !== undefined) {
    const old = before as unknown as Json;
    const changed = value !== (old.value ?? 0);
    return [
      ...when(changed, fieldCauses.forbidden('value', 'may not be changed in an update.')),
      ...immutable('preemptionPolicy', preemptionPolicy, old.preemptionPolicy),
    ];
  }
  const reserved = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
  const isSystem = name.startsWith('system-');
  const high = `maximum allowed value of a user defined priority is ${highestOfUsers}`;
  return [
    ...when(isSystem && !ofSystem.includes(name), fieldCauses.forbidden('metadata.name', reserved)),
    ...when(!isSystem && Number(value) > highestOfUsers, fieldCauses.forbidden('value', high)),
    ...(preemptionPolicy === ''
      ? [fieldCauses.required('preemptionPolicy')]
      : oneOf('preemptionPolicy', preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
  ];
}
