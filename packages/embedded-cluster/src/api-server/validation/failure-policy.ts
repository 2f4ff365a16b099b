import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { isUnset, oneOf, qualifiedNameCauses, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];
const mostRules = 20;

const listed = (words: readonly string[]): string => `valid values: [${words.map((word) => `"${word}"`).join(' ')}]`;

/** batch/v1 Job: what a pod that failed means (kubernetes, pkg/apis/batch/validation, validatePodFailurePolicy). */
export function failurePolicyCauses(spec: Json, field: string): readonly FieldCause[] {
  if (!isJson(spec.podFailurePolicy)) return [];
  const at = `${field}.podFailurePolicy.rules`;
  const rules = itemsOf(spec.podFailurePolicy.rules);
  const names = containerNames(spec.template);
  return [
    ...when(rules.length > mostRules, fieldCauses.tooMany(at, rules.length, mostRules)),
    ...rules.flatMap((rule, index) => ruleCauses(rule, spec, names, `${at}[${index}]`)),
  ];
}

function ruleCauses(rule: Json, spec: Json, names: readonly unknown[], field: string): readonly FieldCause[] {
  const { action, onExitCodes: codes, onPodConditions } = rule;
  const conditions = itemsOf(onPodConditions);
  const unindexed = action === 'FailIndex' && spec.backoffLimitPerIndex === undefined;
  const both = isJson(codes) && conditions.length > 0;
  const none = !isJson(codes) && conditions.length === 0;
  // Two of these refusals show no value.
  const without = (why: string): FieldCause => ({
    ...fieldCauses.invalid(field, '', why),
    message: `Invalid value: ${why}`,
  });
  return [
    ...(isUnset(action)
      ? [fieldCauses.required(`${field}.action`, listed(actions))]
      : oneOf(`${field}.action`, action, actions)),
    ...when(unindexed, fieldCauses.invalid(`${field}.action`, action, 'requires the backoffLimitPerIndex to be set')),
    ...(isJson(codes) ? exitCodesCauses(codes, names, `${field}.onExitCodes`) : []),
    ...conditions.flatMap((condition, index) => conditionCauses(condition, `${field}.onPodConditions[${index}]`)),
    ...when(both, without('specifying both OnExitCodes and OnPodConditions is not supported')),
    ...when(none, without('specifying one of OnExitCodes and OnPodConditions is required')),
  ];
}

function exitCodesCauses(codes: Json, names: readonly unknown[], field: string): readonly FieldCause[] {
  const { operator, containerName, values } = codes;
  const list = Array.isArray(values) ? values : [];
  const known = 'must be one of the container or initContainer names in the pod template';
  const unknown = containerName !== undefined && !names.includes(containerName);
  const at = `${field}.values`;
  return [
    ...(isUnset(operator)
      ? [fieldCauses.required(`${field}.operator`, listed(operators))]
      : oneOf(`${field}.operator`, operator, operators)),
    ...when(unknown, fieldCauses.invalid(`${field}.containerName`, containerName, known)),
    ...when(list.length === 0, fieldCauses.invalid(at, values ?? null, 'at least one value is required')),
    ...list.flatMap((value, index) => valueCauses(list, index, operator === 'In' && value === 0, at)),
    ...when(list.some(isLess), fieldCauses.invalid(at, values, 'must be ordered')),
  ];
}

const isLess = (value: unknown, index: number, list: readonly unknown[]): boolean =>
  index > 0 && Number(value) < Number(list[index - 1]);

function valueCauses(list: readonly unknown[], index: number, isSuccess: boolean, at: string): readonly FieldCause[] {
  const value = list[index];
  const zero = fieldCauses.invalid(`${at}[${index}]`, value, 'must not be 0 for the In operator');
  return [
    ...when(isSuccess, zero),
    ...when(list.indexOf(value) < index, fieldCauses.duplicate(`${at}[${index}]`, value)),
  ];
}

function conditionCauses({ type, status }: Json, field: string): readonly FieldCause[] {
  return [
    ...qualifiedNameCauses(`${field}.type`, String(type ?? '')),
    ...(isUnset(status)
      ? [fieldCauses.required(`${field}.status`, listed(statuses))]
      : oneOf(`${field}.status`, status, statuses)),
  ];
}

function containerNames(template: unknown): readonly unknown[] {
  const spec = isJson(template) && isJson(template.spec) ? template.spec : {};
  return [...itemsOf(spec.containers), ...itemsOf(spec.initContainers)].map(({ name }) => name);
}
