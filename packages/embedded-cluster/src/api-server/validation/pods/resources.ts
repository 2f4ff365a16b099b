import { isJson, type Json } from '../../../objects/json.ts';
import { quantity } from '../../../objects/quantities.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { qualifiedNameCauses, when } from '../formats.ts';

/** The errors in the resources of a container: amounts below zero, and requests above their limits. */
export function resourceCauses(resources: unknown, field: string): readonly FieldCause[] {
  if (!isJson(resources)) return [];
  const [limits, requests] = [amounts(resources.limits), amounts(resources.requests)];
  return [
    ...amountCauses(limits, `${field}.limits`),
    ...amountCauses(requests, `${field}.requests`),
    ...unlimitedCauses(requests, limits, `${field}.limits`),
    ...Object.entries(requests).flatMap(([name, requested]) => {
      const limit = limits[name];
      if (limit === undefined || quantity(String(requested)) <= quantity(String(limit))) return [];
      return [
        fieldCauses.invalid(`${field}.requests`, requested, `must be less than or equal to ${name} limit of ${limit}`),
      ];
    }),
  ];
}

function amountCauses(amounts: Json, field: string): readonly FieldCause[] {
  return Object.entries(amounts).flatMap(([name, one]) => {
    const at = `${field}[${name}]`;
    return [...nameCauses(name, at), ...belowZeroCauses(one, at), ...wholeCauses(name, one, at)];
  });
}

const isExtended = (name: string): boolean => name.includes('/') && !name.includes('kubernetes.io/');

/** Of a resource that cannot be shared the limit is the request. */
function unlimitedCauses(requests: Json, limits: Json, field: string): readonly FieldCause[] {
  const open = Object.keys(requests).filter((name) => isExtended(name) && limits[name] === undefined);
  return open.map(() => fieldCauses.required(field, 'Limit must be set for non overcommitable resources'));
}

/** An error if what can only be counted is no whole number. */
export function wholeCauses(name: string, amount: unknown, field: string): readonly FieldCause[] {
  const counted = isExtended(name) || countedByQuotas.includes(name) || name.startsWith('count/');
  const milli = Math.round(quantity(String(amount)) * 1000);
  const isWhole = Number.isInteger(quantity(String(amount)));
  return when(counted && !isWhole, fieldCauses.invalid(field, `${milli}m`, 'must be an integer'));
}

const countedByQuotas: readonly string[] = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
];

/** An error if the quantity is negative. */
export function belowZeroCauses(amount: unknown, field: string): readonly FieldCause[] {
  return when(String(amount).startsWith('-'), fieldCauses.invalid(field, amount, 'must be greater than or equal to 0'));
}

const ofContainers = ['cpu', 'ephemeral-storage', 'memory'];
/** Other names without a prefix, of quotas (kubernetes, pkg/apis/core/helper). */
const ofQuotas = [
  ...countedByQuotas,
  'storage',
  'requests.storage',
  ...ofContainers.flatMap((name) => [`limits.${name}`, `requests.${name}`]),
];

function nameCauses(name: string, field: string): readonly FieldCause[] {
  const causes = qualifiedNameCauses(field, name);
  const isHuge = name.startsWith('hugepages-');
  if (name.includes('/') || isHuge || ofContainers.includes(name)) return causes;
  return [
    ...causes,
    ...when(causes.length === 0 && !isOfQuotas(name), fieldCauses.invalid(field, name, unqualified)),
    fieldCauses.invalid(field, name, 'must be a standard resource for containers'),
  ];
}

const unqualified = 'must be a standard resource type or fully qualified';
const isOfQuotas = (name: string): boolean => ofQuotas.includes(name) || name.startsWith('requests.hugepages-');

/** The errors in the name of what a quota counts. */
export function quotaNameCauses(name: string, field: string): readonly FieldCause[] {
  const causes = qualifiedNameCauses(field, name);
  const isKnown = name.includes('/') || isOfQuotas(name) || ofContainers.includes(name);
  if (isKnown || name.startsWith('hugepages-')) return causes;
  return [
    ...causes,
    ...when(causes.length === 0, fieldCauses.invalid(field, name, unqualified)),
    fieldCauses.invalid(field, name, 'must be a standard resource for quota'),
  ];
}

const amounts = (value: unknown): Json => (isJson(value) ? value : {});
