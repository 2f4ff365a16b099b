import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';
import { secretCauses } from '../validation/config-data.ts';
import { endpointsCauses } from '../validation/endpoints.ts';
import { networkPolicyCauses } from '../validation/network-policy.ts';
import { priorityClassCauses } from '../validation/priority-class.ts';
import { limitRangeCauses, quotaCauses } from '../validation/quotas.ts';
import { bindingCauses, roleCauses } from '../validation/roles.ts';
import { admissionPolicyCauses, policyBindingCauses } from '../validation/seldom/admission-policies.ts';
import { webhookCauses } from '../validation/seldom/webhooks.ts';
import { at, defaultsOf, type Strategy } from './strategy.ts';

/** core/v1 Secret: `stringData` is write-only and becomes a part of `data`. */
export const secret: Strategy = {
  complete: (object) => defaultsOf({ type: 'Opaque' })(withoutStringData(object)) as StoredObject,
  validate: secretCauses,
  warnings: certificateWarnings,
};

/** rbac.authorization.k8s.io/v1: rules are always written; an empty list is held as none. */
export const role: Strategy = {
  complete: (object) => {
    const { rules } = object as { readonly rules?: unknown };
    return Array.isArray(rules) && rules.length > 0 ? object : { ...object, rules: null };
  },
  validate: roleCauses,
};

/** What Go's `tls.X509KeyPair` finds first in a pair that is no certificate and key; what is in them is not read. */
function certificateWarnings(object: StoredObject): readonly string[] {
  const { type, data = {} } = object as { readonly type?: unknown; readonly data?: unknown };
  if (type !== 'kubernetes.io/tls' || !isJson(data)) return [];
  const has = (key: string, block: string) => atob(String(data[key] ?? '')).includes(`-----BEGIN ${block}`);
  if (!has('tls.crt', '')) return ['tls: failed to find any PEM data in certificate input'];
  return has('tls.key', '') ? [] : ['tls: failed to find any PEM data in key input'];
}

function withoutStringData(object: StoredObject): StoredObject {
  const { stringData, ...rest } = object as StoredObject & { readonly stringData?: unknown };
  if (!isJson(stringData)) return object;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, base64(String(text))]);
  return { ...rest, data: { ...(rest.data as Json | undefined), ...Object.fromEntries(encoded) } } as StoredObject;
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** rbac.authorization.k8s.io/v1: users and groups are of that group, service accounts of the core group. */
export const binding: Strategy = {
  complete: (object) => {
    const group = 'rbac.authorization.k8s.io';
    const whole = at(object, 'subjects.*', (subject) =>
      isJson(subject) && subject.kind !== 'ServiceAccount' ? defaultsOf({ apiGroup: group })(subject) : subject,
    );
    // It is no pointer: one of which nothing was sent has its default too.
    const { roleRef = {} } = whole as { readonly roleRef?: unknown };
    return at({ ...whole, roleRef }, 'roleRef', (role) =>
      isJson(role) && (role.apiGroup ?? '') === '' ? { ...role, apiGroup: group } : role,
    );
  },
  validate: bindingCauses,
};

/** networking.k8s.io/v1: without `policyTypes` a policy is for ingress, and for egress if it has such rules. */
export const networkPolicy: Strategy = {
  complete: (object) => {
    const policyTypes = ['Ingress', ...(object.spec?.egress === undefined ? [] : ['Egress'])];
    const whole = at({ ...object, spec: object.spec ?? {} }, 'spec', defaultsOf({ policyTypes }));
    const ports = ['spec.ingress.*.ports.*', 'spec.egress.*.ports.*'];
    return ports.reduce((policy, path) => at(policy, path, defaultsOf({ protocol: 'TCP' })), whole);
  },
  validate: networkPolicyCauses,
};

/** The admission plugin Priority: one class alone is the default. */
function requireOnlyDefault(object: StoredObject, _: StoredObject | undefined, api: Api, at: ApiRequest): void {
  if (Reflect.get(object, 'globalDefault') !== true) return;
  const classes = api.objects.list(at.served.collection);
  const other = classes.find(
    (one) => Reflect.get(one, 'globalDefault') === true && one.metadata.name !== object.metadata.name,
  );
  if (other === undefined) return;
  const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
  throw refusals.forbidden(at, why);
}

/** scheduling.k8s.io/v1. */
export const priorityClass: Strategy = {
  complete: (object) => {
    const { globalDefault, ...rest } = object as StoredObject & { readonly globalDefault?: unknown };
    const sent = globalDefault === false ? (rest as StoredObject) : object;
    return defaultsOf({ preemptionPolicy: 'PreemptLowerPriority' })(sent) as StoredObject;
  },
  keepsGeneration: true,
  validate: priorityClassCauses,
  permit: requireOnlyDefault,
};

/** core/v1 Endpoints. */
export const endpoints: Strategy = {
  complete: (object) => at(object, 'subsets.*.ports.*', defaultsOf({ protocol: 'TCP' })),
  validate: endpointsCauses,
};

/**
 * core/v1 LimitRange: of a container the default limit is the highest, and the default request the default limit or the
 * lowest.
 */
export const limitRange: Strategy = {
  complete: (object) => at(object, 'spec.limits.*', (limit) => (isJson(limit) ? completeLimit(limit) : limit)),
  validate: limitRangeCauses,
};

function completeLimit(limit: Json): Json {
  if (limit.type !== 'Container') return limit;
  const limited = mapOf(limit.default, limit.max);
  const requested = mapOf(limit.defaultRequest, mapOf(limited, limit.min));
  return { ...limit, ...(limited && { default: limited }), ...(requested && { defaultRequest: requested }) };
}

/** The amounts, with those of another map that are missing; undefined if there are none. */
function mapOf(amounts: unknown, others: unknown): Json | undefined {
  if (!isJson(amounts) && !isJson(others)) return undefined;
  return { ...(isJson(others) ? others : {}), ...(isJson(amounts) ? amounts : {}) };
}

const matched = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };

function withMatched(object: StoredObject, path: string): StoredObject {
  const rules = ['resourceRules', 'excludeResourceRules'].map((key) => `${path}.${key}.*`);
  return rules.reduce(
    (whole, rule) => at(whole, rule, defaultsOf({ scope: '*' })),
    at(object, path, defaultsOf(matched)),
  );
}

/** admissionregistration.k8s.io/v1. */
export const admissionPolicy: Strategy = {
  firstStatus: () => ({}),
  complete: (object) => withMatched(at(object, 'spec', defaultsOf({ failurePolicy: 'Fail' })), 'spec.matchConstraints'),
  validate: admissionPolicyCauses,
};
export const policyBinding: Strategy = {
  complete: (object) => withMatched(object, 'spec.matchResources'),
  validate: policyBindingCauses,
};

/** core/v1 ResourceQuota. */
export const resourceQuota: Strategy = { firstStatus: () => ({}), validate: quotaCauses };

/** admissionregistration.k8s.io/v1 (kubernetes, pkg/apis/admissionregistration/v1/defaults.go). */
export const webhooks: Strategy = {
  complete: (object) => {
    const defaults = {
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      ...(object.kind === 'MutatingWebhookConfiguration' && { reinvocationPolicy: 'Never' }),
    };
    const whole = at(object, 'webhooks.*', defaultsOf(defaults));
    const scoped = at(whole, 'webhooks.*.rules.*', defaultsOf({ scope: '*' }));
    return at(scoped, 'webhooks.*.clientConfig.service', defaultsOf({ port: 443 }));
  },
  validate: webhookCauses,
};
