import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { quantity } from '../../objects/quantities.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { qualifiedNameCauses, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';
import { belowZeroCauses, quotaNameCauses, wholeCauses } from './pods/resources.ts';

const scopes = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
];
const exclusive = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
];

/** core/v1 ResourceQuota (kubernetes, pkg/apis/core/validation, ValidateResourceQuotaSpec). */
export function quotaCauses({ spec = {} }: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  const hard = isJson(spec.hard) ? spec.hard : {};
  const sent = Array.isArray(spec.scopes) ? spec.scopes : [];
  const refused = (why: string) => fieldCauses.invalid('spec.scopes', sent, why);
  const changed = before !== undefined && !sameJson(sent, before.spec?.scopes ?? []);
  return [
    ...Object.entries(hard).flatMap(([name, amount]) => [
      ...quotaNameCauses(name, `spec.hard[${name}]`),
      ...belowZeroCauses(amount, `spec.hard[${name}]`),
      ...wholeCauses(name, amount, `spec.hard[${name}]`),
    ]),
    ...sent.flatMap((scope) => when(!scopes.includes(String(scope)), refused('unsupported scope'))),
    ...exclusive.flatMap((pair) =>
      when(
        pair.every((one) => sent.includes(one)),
        refused('conflicting scopes'),
      ),
    ),
    ...sent.flatMap((scope) =>
      Object.keys(hard).flatMap((name) =>
        when(!fitsScope(String(scope), name), refused('unsupported scope applied to resource')),
      ),
    ),
    ...scopeSelectorCauses(spec.scopeSelector),
    ...when(changed, refused('field is immutable')),
  ];
}

const existsOnly = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'];
const existsWords =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** The refusals do not say which of the expressions it is (validateScopedResourceSelectorRequirement). */
function scopeSelectorCauses(selector: unknown): readonly FieldCause[] {
  const field = 'spec.scopeSelector.matchExpressions';
  return itemsOf(isJson(selector) ? selector.matchExpressions : []).flatMap(
    ({ scopeName = '', operator = '', values }) => [
      ...when(
        !scopes.includes(String(scopeName)),
        fieldCauses.invalid(`${field}.scopeName`, scopeName, 'unsupported scope'),
      ),
      ...when(
        existsOnly.includes(String(scopeName)) && operator !== 'Exists',
        fieldCauses.invalid(`${field}.operator`, operator, existsWords),
      ),
      ...scopeOperatorCauses(operator, Array.isArray(values) ? values : [], field),
    ],
  );
}

function scopeOperatorCauses(operator: unknown, values: readonly unknown[], field: string): readonly FieldCause[] {
  const needed = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
  const unneeded = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
  if (operator === 'In' || operator === 'NotIn')
    return when(values.length === 0, fieldCauses.required(`${field}.values`, needed));
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return when(values.length > 0, fieldCauses.invalid(`${field}.values`, values, unneeded));
  return [fieldCauses.invalid(`${field}.operator`, operator, 'not a valid selector operator')];
}

const ofPods = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'pods', 'requests.cpu', 'requests.memory'];

/**
 * Most scopes choose pods by their class: they fit what is counted of pods (kubernetes, pkg/apis/core/helper,
 * IsResourceQuotaScopeValidForResource).
 */
function fitsScope(scope: string, resource: string): boolean {
  if (resource.includes('/')) return true;
  if (['CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating'].includes(scope))
    return ofPods.includes(resource);
  return scope !== 'BestEffort' || resource === 'pods';
}

/** core/v1 LimitRange (ValidateLimitRange). */
export function limitRangeCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const limits = itemsOf(spec.limits);
  const types = limits.map(({ type }) => type);
  return limits.flatMap((limit, index) => {
    const at = `spec.limits[${index}]`;
    const { type } = limit;
    const again = types.indexOf(type) < index;
    return [
      ...limitTypeCauses(String(type ?? ''), `${at}.type`),
      ...when(again, fieldCauses.duplicate(`${at}.type`, type)),
      ...forbiddenCauses(limit, at),
      ...claimCauses(limit, at),
      ...namesOf(limit).flatMap((name) => orderCauses(limit, name, at)),
    ];
  });
}

function limitTypeCauses(type: string, field: string): readonly FieldCause[] {
  const causes = qualifiedNameCauses(field, type);
  const isKnown = type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type);
  const why = 'must be a standard limit type or fully qualified';
  return causes.length > 0 || isKnown ? causes : [fieldCauses.invalid(field, type, why)];
}

function forbiddenCauses(limit: Json, field: string): readonly FieldCause[] {
  if (limit.type !== 'Pod') return [];
  return ['default', 'defaultRequest'].flatMap((key) =>
    when(isJson(limit[key]), fieldCauses.forbidden(`${field}.${key}`, "may not be specified when `type` is 'Pod'")),
  );
}

function claimCauses(limit: Json, field: string): readonly FieldCause[] {
  const bounded = [limit.min, limit.max].some((bound) => isJson(bound) && bound.storage !== undefined);
  const why = 'either minimum or maximum storage value is required, but neither was provided';
  return when(limit.type === 'PersistentVolumeClaim' && !bounded, fieldCauses.required(`${field}.limits`, why));
}

const bounds = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];
const namesOf = (limit: Json): readonly string[] => [
  ...new Set(bounds.flatMap((key) => (isJson(limit[key]) ? Object.keys(limit[key]) : []))),
];

/** Which amount is not above which other, how both are called, and of which of them the refusal shows the value. */
const orders = [
  ['min', 'max', 'min', 'min value', 'max value', 'min'],
  ['min', 'defaultRequest', 'defaultRequest', 'min value', 'default request value', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', 'default request value', 'max value', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', 'default request value', 'default limit value', 'defaultRequest'],
  ['min', 'default', 'default', 'min value', 'default value', 'min'],
  ['default', 'max', 'default', 'default value', 'max value', 'max'],
] as const;

function orderCauses(limit: Json, name: string, field: string): readonly FieldCause[] {
  const amount = (key: string): unknown => (isJson(limit[key]) ? limit[key][name] : undefined);
  return orders.flatMap(([low, high, of, lowWords, highWords, shown]) => {
    const [less, more] = [amount(low), amount(high)];
    if (less === undefined || more === undefined || quantity(String(less)) <= quantity(String(more))) return [];
    const why = `${lowWords} ${less} is greater than ${highWords} ${more}`;
    return [fieldCauses.invalid(`${field}.${of}[${name}]`, amount(shown), why)];
  });
}
