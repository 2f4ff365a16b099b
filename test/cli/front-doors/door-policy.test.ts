import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyIn } from '../../../src/cli/front-doors/door-policy.ts';
import type { Located, ManifestObject } from '../../../src/cli/manifests/located.ts';
import { unheededFields } from '../../../src/cli/manifests/not-rehearsed.ts';

const way = { ingress: 'shop', namespace: 'shop', service: 'web' };
const object = (apiVersion: string, kind: string, name: string, spec: object, annotations = {}) =>
  ({ apiVersion, kind, metadata: { name, namespace: 'shop', annotations }, spec }) as unknown as ManifestObject;
const located = (...objects: readonly ManifestObject[]): readonly Located[] =>
  objects.map((one) => ({ file: 'web.yaml', object: one, lineOf: () => 1 }));

const route = (rules: object = {}) =>
  object('gateway.networking.k8s.io/v1', 'HTTPRoute', 'shop', { parentRefs: [{ name: 'edge' }], rules: [rules] });
const policy = (target: object, spec: object) =>
  object('gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', 'p', { targetRefs: [target], ...spec });

test('a BackendTrafficPolicy of the route or of its Gateway is heeded, with the defaults of its fields', () => {
  const toRoute = policy(
    { kind: 'HTTPRoute', name: 'shop' },
    { retry: {}, timeout: { tcp: { connectTimeout: '500ms' } } },
  );
  const toGateway = policy(
    { kind: 'Gateway', name: 'edge' },
    { healthCheck: { passive: {} }, timeout: { http: { requestTimeout: '1m30s' } } },
  );
  const other = policy({ kind: 'HTTPRoute', name: 'other' }, { retry: { numRetries: 9 } });
  const read = (...objects: readonly ManifestObject[]) => policyIn('envoy-gateway', way, located(...objects));
  assert.deepEqual(read(route(), other, toRoute, toGateway), { retries: 2, connectTimeoutSeconds: 0.5 });
  assert.deepEqual(read(route(), toGateway), { consecutiveErrors: 5, requestTimeoutSeconds: 90 });
  assert.deepEqual(read(route({ timeouts: { request: '3s' } })), { requestTimeoutSeconds: 3 });
  assert.deepEqual(read(route(), other), {});
  const onlyOn = (trigger: string) =>
    read(route(), policy({ kind: 'HTTPRoute', name: 'shop' }, { retry: { retryOn: { triggers: [trigger] } } }));
  assert.deepEqual([onlyOn('5xx'), onlyOn('connect-failure')], [{}, { retries: 2 }]);
});

test('a retry middleware of Traefik counts the first try, and is found by Ingress and by IngressRoute', () => {
  const middleware = object('traefik.io/v1alpha1', 'Middleware', 'again', { retry: { attempts: 3 } });
  const transport = object('traefik.io/v1alpha1', 'ServersTransport', 'quick', {
    forwardingTimeouts: { dialTimeout: '1s' },
  });
  const named = { 'traefik.ingress.kubernetes.io/router.middlewares': 'shop-again@kubernetescrd' };
  const ingress = object('networking.k8s.io/v1', 'Ingress', 'shop', {}, named);
  const service = object(
    'v1',
    'Service',
    'web',
    {},
    {
      'traefik.ingress.kubernetes.io/service.serverstransport': 'shop-quick@kubernetescrd',
    },
  );
  const ingressRoute = object('traefik.io/v1alpha1', 'IngressRoute', 'shop', {
    routes: [{ middlewares: [{ name: 'again' }], services: [{ name: 'web', serversTransport: 'quick' }] }],
  });
  const wanted = { retries: 2, connectTimeoutSeconds: 1 };
  assert.deepEqual(policyIn('traefik', way, located(ingress, service, middleware, transport)), wanted);
  assert.deepEqual(policyIn('traefik', way, located(ingressRoute, middleware, transport)), wanted);
  assert.deepEqual(policyIn('envoy-gateway', way, located(ingress, service, middleware, transport)), {});
});

test('what of a policy changes nothing in a rehearsal is named', () => {
  assert.deepEqual(unheededFields(policy({}, { retry: {}, rateLimit: {}, circuitBreaker: {} })), [
    'rateLimit',
    'circuitBreaker',
  ]);
  const further = {
    retry: { numRetries: 1, perRetry: { timeout: '1s' } },
    healthCheck: { active: { type: 'HTTP' }, passive: {} },
  };
  assert.deepEqual(unheededFields(policy({}, further)), ['retry.perRetry.timeout', 'healthCheck.active.type']);
  assert.equal(unheededFields(object('v1', 'Service', 'web', {})), undefined);
});
