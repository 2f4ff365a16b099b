import { selects } from '../cluster/label-selector.ts';
import type { LabelSelector } from '../cluster/metadata.ts';
import { type CopiedObject, keyOf } from './copy.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isCountOrNone: Check = (value) => value === undefined || isCount(value);
const isInstantOrNone: Check = (value) =>
  value === undefined || (isText(value) && !Number.isNaN(Date.parse(value as string)));
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check);
const isContainer: Check = (value) => isText(Object(value).name) && isText(Object(value).image);
const isRule: Check = (value) => isText(Object(value).key) && isText(Object(value).operator);
const isRulesOrNone: Check = (value) => value === undefined || (Array.isArray(value) && value.every(isRule));

const isTextsOrNone: Check = (value) =>
  value === undefined || (isObject(value) && Object.values(value as object).every((one) => typeof one === 'string'));

const named: Readonly<Record<string, Check>> = {
  'metadata.creationTimestamp': isInstantOrNone,
  'metadata.namespace': (value) => value === undefined || isText(value),
  'metadata.labels': isTextsOrNone,
  'metadata.annotations': isTextsOrNone,
};

const template: Readonly<Record<string, Check>> = {
  'spec.selector': isObject,
  'spec.selector.matchLabels': isTextsOrNone,
  'spec.selector.matchExpressions': isRulesOrNone,
  'spec.template.metadata.labels': isTextsOrNone,
  'spec.template.spec.containers': isList(isContainer),
  'spec.replicas': isCountOrNone,
};

/** What the kinds cannot be understood without. */
const needed: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  Pod: { 'spec.containers': isList(isContainer), 'spec.tolerations': noneOrListOf(isObject) },
  Deployment: template,
  ReplicaSet: template,
  StatefulSet: template,
  DaemonSet: template,
  Job: { 'spec.template.spec.containers': isList(isContainer) },
  Service: { spec: isObject },
  PodDisruptionBudget: {
    spec: isObject,
    'spec.selector.matchLabels': isTextsOrNone,
    'spec.selector.matchExpressions': isRulesOrNone,
  },
  NodePool: { 'spec.template.spec.requirements': isRulesOrNone },
};

function noneOrListOf(check: Check): Check {
  return (value) => value === undefined || (Array.isArray(value) && value.every(check));
}

/** Which fields of the object are not as the API has them: `Pod default/web: spec.containers`. */
export function faultsOf(object: CopiedObject): readonly string[] {
  const { kind, metadata } = object;
  if (!isText(metadata?.name)) return [`a ${kind} without a name`];
  const checks: Readonly<Record<string, Check>> = { ...named, ...needed[kind] };
  const wrong = Object.entries(checks).filter(([field, check]) => !check(valueAt(object, field)));
  const fields = [
    ...wrong.map(([field]) => field),
    ...(wrong.length === 0 && !selectsOwn(object) ? ['spec.selector'] : []),
  ];
  return fields.map((field) => `${kind} ${keyOf(object)}: ${field}`);
}

/** A controller whose selector does not select its own pods would make new ones without end. */
function selectsOwn(object: CopiedObject): boolean {
  if (!Object.hasOwn(needed, object.kind) || needed[object.kind] !== template) return true;
  const labels = valueAt(object, 'spec.template.metadata.labels') ?? {};
  return selects(valueAt(object, 'spec.selector') as LabelSelector, labels as Readonly<Record<string, string>>);
}

const valueAt = (object: object, field: string): unknown =>
  field.split('.').reduce<unknown>((at, name) => Object(at)[name], object);
