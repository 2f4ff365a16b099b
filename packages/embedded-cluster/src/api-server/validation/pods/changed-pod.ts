import { isJson, type Json, sameJson } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { between, requiredCauses, when } from '../formats.ts';
import { specDifference } from '../spec-difference.ts';
import { imageSpaceCauses, itemsOf } from './containers.ts';
import { heldPodSpec } from './held-spec.ts';
import { podSpecCauses } from './pod-spec.ts';

/**
 * What is wrong in another spec of a pod that is there (kubernetes, pkg/apis/core/validation, ValidatePodUpdate), in
 * its order.
 */
export function changedPodCauses(spec: Json, old: Json): readonly FieldCause[] {
  const whole = podSpecCauses(spec, 'spec');
  const counted = ['containers', 'initContainers'].flatMap((list) => countCauses(spec, old, list));
  if (counted.length > 0) return [...whole, ...counted];
  const images = ['containers', 'initContainers'].flatMap((list) => imageCauses(spec, list));
  const deadline = deadlineCauses(spec, old);
  if (deadline.some(({ message }) => !message.includes('nil value'))) return [...whole, ...images, ...deadline];
  return [
    ...whole,
    ...images,
    ...deadline,
    ...tolerationCauses(itemsOf(spec.tolerations), itemsOf(old.tolerations)),
    ...newGateCauses(spec, old),
    ...fixedCauses(spec, old),
  ];
}

function countCauses(spec: Json, old: Json, list: string): readonly FieldCause[] {
  const isOther = itemsOf(spec[list]).length !== itemsOf(old[list]).length;
  return when(isOther, fieldCauses.forbidden(`spec.${list}`, 'pod updates may not add or remove containers'));
}

function imageCauses(spec: Json, list: string): readonly FieldCause[] {
  const missing = itemsOf(spec[list]).flatMap(({ image }, index) =>
    requiredCauses(`spec.${list}[${index}].image`, image),
  );
  return [...missing, ...imageSpaceCauses(spec[list], `spec.${list}`)];
}

/** A deadline can come earlier only. */
function deadlineCauses({ activeDeadlineSeconds: seconds }: Json, old: Json): readonly FieldCause[] {
  const field = 'spec.activeDeadlineSeconds';
  const was = old.activeDeadlineSeconds;
  if (typeof seconds !== 'number') {
    const why = 'must not update from a positive integer to nil value';
    return when(was !== undefined, fieldCauses.invalid(field, null, why));
  }
  const wrong = between(field, seconds, 0, 2_147_483_647);
  const later = typeof was === 'number' && was < seconds;
  const why = 'must be less than or equal to previous value';
  return wrong.length > 0 ? wrong : when(later, fieldCauses.invalid(field, seconds, why));
}

/** Tolerations can become more, and longer or shorter. */
function tolerationCauses(now: readonly Json[], old: readonly Json[]): readonly FieldCause[] {
  const kept = ({ tolerationSeconds: _, ...was }: Json) =>
    now.some(({ tolerationSeconds: __, ...one }) => sameJson(one, was));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return when(!old.every(kept), fieldCauses.forbidden('spec.tolerations', why));
}

/** A gate can be opened only. */
function newGateCauses({ schedulingGates }: Json, old: Json): readonly FieldCause[] {
  const had = itemsOf(old.schedulingGates).map(({ name }) => name);
  return itemsOf(schedulingGates).flatMap(({ name }, index) => {
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return when(!had.includes(name), fieldCauses.forbidden(`spec.schedulingGates[${index}].name`, why));
  });
}

const fixed =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Everything else stays; the refusal shows what does not. */
function fixedCauses(spec: Json, old: Json): readonly FieldCause[] {
  const next = withFreeOf(spec, old);
  if (sameJson(next, old)) return [];
  return [fieldCauses.forbidden('spec', `${fixed}\n${specDifference(heldPodSpec(old), heldPodSpec(next))}`)];
}

const free = ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'];

/** The spec with what may change as it was. */
function withFreeOf(spec: Json, old: Json): Json {
  const others = Object.entries(spec).filter(([key]) => !free.includes(key));
  const was = Object.entries(old).filter(([key]) => free.includes(key));
  const whole = Object.fromEntries([...others, ...was]);
  const imaged = ['containers', 'initContainers'].filter((list) => Array.isArray(whole[list]));
  const lists = imaged.map((list) => [list, withImagesOf(itemsOf(whole[list]), itemsOf(old[list]))]);
  return { ...whole, ...Object.fromEntries(lists), ...selectedAs(spec, old) };
}

const withImagesOf = (containers: readonly Json[], old: readonly Json[]): readonly Json[] =>
  containers.map((one, index) => {
    const { image: _, ...rest } = one;
    const was = old[index]?.image;
    return was === undefined ? rest : { ...one, image: was };
  });

/** A pod behind a gate can be given more labels that its node has to have. */
function selectedAs({ nodeSelector }: Json, old: Json): Json {
  const was = isJson(old.nodeSelector) ? old.nodeSelector : {};
  const isGated = itemsOf(old.schedulingGates).length > 0 && isJson(nodeSelector);
  const isMore = isGated && Object.entries(was).every(([key, value]) => nodeSelector[key] === value);
  return isMore ? { nodeSelector: old.nodeSelector } : {};
}
