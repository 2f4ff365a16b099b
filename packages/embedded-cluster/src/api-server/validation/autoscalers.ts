import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { isUnset, oneOf, pathSegmentCauses, requiredCauses, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';

/** autoscaling/v2 HorizontalPodAutoscaler (kubernetes, pkg/apis/autoscaling/validation). */
export function autoscalerCauses({ spec = {} }: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  const { minReplicas, maxReplicas = 0 } = spec;
  const low = typeof minReplicas === 'number' && minReplicas < 1;
  const [most, least] = [Number(maxReplicas), Number(minReplicas ?? 1)];
  const less = 'must be greater than or equal to `minReplicas`';
  return [
    ...when(low, fieldCauses.invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1')),
    ...when(most < 1, fieldCauses.invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0')),
    ...when(most < least, fieldCauses.invalid('spec.maxReplicas', maxReplicas, less)),
    ...targetCauses(spec.scaleTargetRef),
    ...metricsCauses(spec),
    ...behaviorCauses(spec.behavior),
  ];
}

function targetCauses(reference: unknown): readonly FieldCause[] {
  const { kind, name, apiVersion } = isJson(reference) ? reference : {};
  const at = 'spec.scaleTargetRef';
  const named = (key: string, value: unknown) =>
    isUnset(value) ? [fieldCauses.required(`${at}.${key}`)] : pathSegmentCauses(`${at}.${key}`, String(value));
  const version = String(apiVersion ?? '');
  const missing = fieldCauses.invalid(`${at}.apiVersion`, version, 'apiVersion must specify API group');
  return [...named('kind', kind), ...named('name', name), ...when(!version.includes('/'), missing)];
}

function metricsCauses({ metrics, minReplicas }: Json): readonly FieldCause[] {
  const list = itemsOf(metrics);
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
  const counts = list.some(({ type }) => type === 'Object' || type === 'External');
  return [
    ...list.flatMap((metric, index) => metricCauses(metric, `spec.metrics[${index}]`)),
    ...when(minReplicas === 0 && !counts, fieldCauses.forbidden('spec.metrics', why)),
  ];
}

const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
const types = Object.keys(sources);
/** In the order in which the API server looks for them. */
const order = ['object', 'external', 'pods', 'resource', 'containerResource'];

function metricCauses(metric: Json, field: string): readonly FieldCause[] {
  const { type = '' } = metric;
  const given = order.filter((source) => isJson(metric[source]));
  const [first] = given;
  const wanted = sources[String(type)];
  // The API server checks the type twice.
  const unknown = oneOf(`${field}.type`, type, types);
  const missing = wanted !== undefined && !isJson(metric[wanted]);
  const others = given.length === 1 ? [] : given.filter((source) => source !== wanted);
  return [
    ...when(type === '', fieldCauses.required(`${field}.type`, 'must specify a metric source type')),
    ...unknown,
    ...(first === undefined ? [] : sourceCauses(metric[first] as Json, first, `${field}.${first}`)),
    ...when(
      missing,
      fieldCauses.required(`${field}.${wanted}`, 'must populate information for the given metric source'),
    ),
    ...unknown,
    ...others.map((source) =>
      fieldCauses.forbidden(`${field}.${source}`, 'must populate the given metric source only'),
    ),
  ];
}

function sourceCauses(source: Json, named: string, field: string): readonly FieldCause[] {
  const target = isJson(source.target) ? source.target : {};
  const isResource = named === 'resource' || named === 'containerResource';
  const unnamed = isResource ? requiredCauses(`${field}.name`, source.name, 'must specify a resource name') : [];
  return [
    ...unnamed,
    ...(named === 'object' ? describedCauses(source.describedObject, `${field}.describedObject`) : []),
    ...(isResource ? [] : metricNameCauses(source.metric, `${field}.metric.name`)),
    ...metricTargetCauses(target, `${field}.target`),
    ...otherTargetCauses(named, target, `${field}.target.averageValue`),
    ...(isResource ? resourceTargetCauses(target, `${field}.target`) : []),
  ];
}

function describedCauses(reference: unknown, field: string): readonly FieldCause[] {
  const { kind, name }: Json = isJson(reference) ? reference : {};
  return Object.entries({ kind, name }).flatMap(([key, value]) =>
    isUnset(value) ? [fieldCauses.required(`${field}.${key}`)] : pathSegmentCauses(`${field}.${key}`, String(value)),
  );
}

function metricNameCauses(metric: unknown, field: string): readonly FieldCause[] {
  const { name }: Json = isJson(metric) ? metric : {};
  if (isUnset(name)) return [fieldCauses.required(field, 'must specify a metric name')];
  return pathSegmentCauses(field, String(name));
}

/** What a metric that is no resource is held at. */
function otherTargetCauses(named: string, target: Json, field: string): readonly FieldCause[] {
  const { value, averageValue } = target;
  const isNone = averageValue === undefined;
  if (named === 'pods')
    return when(
      isNone || !(Number.parseFloat(String(averageValue)) > 0),
      fieldCauses.required(field, 'must specify a positive target averageValue'),
    );
  if (named !== 'object' && named !== 'external') return [];
  const why =
    named === 'object'
      ? 'must set either a target value or averageValue'
      : 'must set either a target value for metric or a per-pod target';
  const both = 'may not set both a target value for metric and a per-pod target';
  const isBoth = named === 'external' && value !== undefined && !isNone;
  return [
    ...when(value === undefined && isNone, fieldCauses.required(field, why)),
    ...when(isBoth, fieldCauses.forbidden(field.replace(/averageValue$/, 'value'), both)),
  ];
}

function metricTargetCauses(target: Json, field: string): readonly FieldCause[] {
  const { type = '', averageUtilization } = target;
  const isKnown = ['Utilization', 'Value', 'AverageValue'].includes(String(type));
  const low = typeof averageUtilization === 'number' && averageUtilization < 1;
  return [
    ...requiredCauses(`${field}.type`, type, 'must specify a metric target type'),
    ...when(!isKnown, fieldCauses.invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')),
    ...['value', 'averageValue'].flatMap((key) => {
      const isPositive = target[key] === undefined || Number.parseFloat(String(target[key])) > 0;
      return when(!isPositive, fieldCauses.invalid(`${field}.${key}`, target[key], 'must be positive'));
    }),
    ...when(low, fieldCauses.invalid(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0')),
  ];
}

function resourceTargetCauses({ averageUtilization, averageValue }: Json, field: string): readonly FieldCause[] {
  const none = averageUtilization === undefined && averageValue === undefined;
  const both = averageUtilization !== undefined && averageValue !== undefined;
  const required = 'must set either a target raw value or a target utilization';
  const forbidden = 'may not set both a target raw value and a target utilization';
  return [
    ...when(none, fieldCauses.required(`${field}.averageUtilization`, required)),
    ...when(both, fieldCauses.forbidden(`${field}.averageValue`, forbidden)),
  ];
}

function behaviorCauses(behavior: unknown): readonly FieldCause[] {
  if (!isJson(behavior)) return [];
  return ['scaleUp', 'scaleDown'].flatMap((key) => {
    const rules = behavior[key];
    return isJson(rules) ? rulesCauses(rules, `spec.behavior.${key}`) : [];
  });
}

const longestWindowSeconds = 3600;
const longestPeriodSeconds = 1800;

function rulesCauses(
  { stabilizationWindowSeconds: window, selectPolicy, policies }: Json,
  field: string,
): readonly FieldCause[] {
  const at = `${field}.stabilizationWindowSeconds`;
  const list = itemsOf(policies);
  const long = `must be less than or equal to ${longestWindowSeconds}`;
  return [
    ...when(Number(window) < 0, fieldCauses.invalid(at, window, 'must be greater than or equal to zero')),
    ...when(Number(window) > longestWindowSeconds, fieldCauses.invalid(at, window, long)),
    ...oneOf(`${field}.selectPolicy`, selectPolicy, ['Disabled', 'Max', 'Min']),
    ...when(list.length === 0, fieldCauses.required(`${field}.policies`, 'must specify at least one Policy')),
    ...list.flatMap((policy, index) => policyCauses(policy, `${field}.policies[${index}]`)),
  ];
}

function policyCauses({ type = '', value = 0, periodSeconds = 0 }: Json, field: string): readonly FieldCause[] {
  const positive = (key: string, number: unknown) =>
    when(!(Number(number) > 0), fieldCauses.invalid(`${field}.${key}`, number, 'must be greater than zero'));
  const long = fieldCauses.invalid(
    `${field}.periodSeconds`,
    periodSeconds,
    `must be less than or equal to ${longestPeriodSeconds}`,
  );
  return [
    ...oneOf(`${field}.type`, type, ['Percent', 'Pods']),
    ...positive('value', value),
    ...positive('periodSeconds', periodSeconds),
    ...when(Number(periodSeconds) > longestPeriodSeconds, long),
  ];
}
