import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { at, defaultsOf, type Strategy } from './strategy.ts';

/** core/v1 Secret: `stringData` is write-only and becomes a part of `data`. */
export const secret: Strategy = {
  complete: (object) => defaultsOf({ type: 'Opaque' })(withoutStringData(object)) as StoredObject,
};

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
    return at(whole, 'roleRef', defaultsOf({ apiGroup: group }));
  },
};

/** networking.k8s.io/v1: without `policyTypes` a policy is for ingress, and for egress if it has such rules. */
export const networkPolicy: Strategy = {
  complete: (object) => {
    const policyTypes = ['Ingress', ...(object.spec?.egress === undefined ? [] : ['Egress'])];
    const whole = at(object, 'spec', defaultsOf({ policyTypes }));
    const ports = ['spec.ingress.*.ports.*', 'spec.egress.*.ports.*'];
    return ports.reduce((policy, path) => at(policy, path, defaultsOf({ protocol: 'TCP' })), whole);
  },
};

/** scheduling.k8s.io/v1. */
export const priorityClass: Strategy = {
  complete: (object) => defaultsOf({ preemptionPolicy: 'PreemptLowerPriority' })(object) as StoredObject,
};

/** core/v1 Endpoints. */
export const endpoints: Strategy = {
  complete: (object) => at(object, 'subsets.*.ports.*', defaultsOf({ protocol: 'TCP' })),
};

/** core/v1 LimitRange: a container's default limit is its default request. */
export const limitRange: Strategy = {
  complete: (object) =>
    at(object, 'spec.limits.*', (limit) =>
      isJson(limit) && limit.type === 'Container' && isJson(limit.default)
        ? defaultsOf({ defaultRequest: limit.default })(limit)
        : limit,
    ),
};

/** A kind whose status begins empty. */
export const withStatus: Strategy = { firstStatus: () => ({}) };

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
};
