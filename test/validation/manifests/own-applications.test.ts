import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import { assumedHost, ownApplications } from '../../../src/validation/manifests/own-applications.ts';
import { urlOf } from '../../../src/validation/manifests/own-settings.ts';
import { budget, deployment, ingress, objects, service } from '../../support/own-manifests.ts';

const found = (...all: readonly Resource[]) => ownApplications(all, 'default');
const only = (...all: readonly Resource[]) => {
  const { applications, deadEnds } = found(...all);
  assert.deepEqual(deadEnds, []);
  assert.equal(applications.length, 1);
  const [one] = applications;
  assert.ok(one);
  return one;
};

test('the application is the Deployment whose pods the Service behind an Ingress selects', () => {
  const { kind, namespace, name, service: reached, ingress: way, disruptionBudget } = only(...objects());
  assert.deepEqual(
    { kind, namespace, name, reached, way, disruptionBudget },
    {
      kind: 'Deployment',
      namespace: 'default',
      name: 'shop-web',
      reached: 'shop',
      way: 'front',
      disruptionBudget: undefined,
    },
  );
});

test('host, path and TLS are those of the rule that leads to it', () => {
  const at = (spec: object, annotations = {}) => urlOf(only(deployment(), service(), ingress(spec, annotations)));
  assert.equal(at({}), 'http://shop.example.com/');
  assert.equal(at({ tls: [{ hosts: ['shop.example.com'] }] }), 'https://shop.example.com/');
  assert.equal(at({ tls: [{ secretName: 'all' }] }), 'https://shop.example.com/');
  assert.equal(at({ tls: [{ hosts: ['other.example.com'] }] }), 'http://shop.example.com/');
  const rule = (host: string | undefined, path?: string) => ({
    rules: [{ ...(host !== undefined && { host }), http: { paths: [{ path, pathType: 'Prefix', backend }] } }],
  });
  assert.equal(at(rule('shop.example.com', '/cart')), 'http://shop.example.com/cart');
  assert.equal(at(rule('shop.example.com', '/api(/|$)(.*)')), 'http://shop.example.com/api');
  assert.equal(at(rule('*.example.com')), 'http://app.example.com/');
  assert.equal(at(rule(undefined)), `http://${assumedHost}/`);
  const named = { 'external-dns.alpha.kubernetes.io/hostname': 'a.example.org, b.example.org' };
  assert.equal(at(rule(undefined), named), 'http://a.example.org/');
});

const backend = { service: { name: 'shop', port: { number: 80 } } };

test('what the manifests do not say of the address is said', () => {
  const assumed = (rules: readonly object[]) => only(deployment(), service(), ingress({ rules })).assumed;
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  assert.deepEqual(assumed([{ host: 'shop.example.com', http: { paths } }]), []);
  assert.deepEqual(assumed([{ http: { paths } }]), [`Ingress front names no host: ${assumedHost} is asked for.`]);
  assert.deepEqual(assumed([{ host: '*.example.com', http: { paths } }]), [
    'Ingress front serves *.example.com: app.example.com is asked for.',
  ]);
});

test('a default backend leads to its application', () => {
  const { host, path } = only(deployment(), service(), ingress({ rules: [], defaultBackend: backend }));
  assert.deepEqual([host, path], [assumedHost, '/']);
});

test('the PodDisruptionBudget is the one that selects its pods, in its namespace', () => {
  const guarding = budget({ 'app.kubernetes.io/name': 'shop' });
  assert.equal(only(...objects(), guarding).disruptionBudget, 'keep-one');
  assert.equal(only(...objects(), budget({ 'app.kubernetes.io/name': 'other' })).disruptionBudget, undefined);
  const moved = { ...guarding, metadata: { ...guarding.metadata, namespace: 'other' } } as Resource;
  assert.equal(only(...objects(), moved).disruptionBudget, undefined);
});

test('two rules to one application are one; several applications are told in the order of the manifests', () => {
  const second = [deployment('shop-api', 'api'), service('api', 'api')];
  const rules = ['shop', 'api', 'shop'].map((name) => ({
    host: `${name}.example.com`,
    http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name } } }] },
  }));
  const { applications } = found(deployment(), service(), ...second, ingress({ rules }));
  assert.deepEqual(
    applications.map(({ name, host }) => [name, host]),
    [
      ['shop-web', 'shop.example.com'],
      ['shop-api', 'api.example.com'],
    ],
  );
});

test('an Ingress that leads nowhere says why', () => {
  const because = (...all: readonly Resource[]) => found(...all).deadEnds.map((end) => end.because);
  assert.deepEqual(because(deployment(), ingress()), [
    'there is no Service default/shop, to which Ingress front sends',
  ]);
  assert.deepEqual(because(deployment('shop-web', 'other'), service(), ingress()), [
    'Service default/shop selects the pods of no workload: app.kubernetes.io/name=shop',
  ]);
  const controller = { ...deployment(), kind: 'ReplicationController' } as unknown as Resource;
  const labels = { 'app.kubernetes.io/name': 'shop' };
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop', labels } } as unknown as Resource;
  assert.match(because(config, service(), ingress())[0] ?? '', /selects the pods of no workload/);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', labels }, spec: {} } as unknown as Resource;
  const others = because(controller, service(), ingress()).concat(because(pod, service(), ingress()));
  assert.deepEqual(others, [
    'Service default/shop leads to ReplicationController shop-web: only a Deployment, a StatefulSet or a DaemonSet can be rehearsed',
    'Service default/shop leads to Pod one: only a Deployment, a StatefulSet or a DaemonSet can be rehearsed',
  ]);
});

test('a StatefulSet or a DaemonSet behind an Ingress is an application too', () => {
  for (const kind of ['StatefulSet', 'DaemonSet']) {
    const other = { ...deployment(), kind } as unknown as Resource;
    const [application] = found(other, service(), ingress()).applications;
    assert.deepEqual([application?.kind, application?.name], [kind, 'shop-web']);
  }
});

const balanced = (ports: readonly object[] = [{ port: 80, targetPort: 'http' }], annotations = {}): Resource => {
  const one = service() as unknown as { readonly metadata: object; readonly spec: object };
  const spec = { ...one.spec, type: 'LoadBalancer', ports };
  return { ...one, metadata: { ...one.metadata, annotations }, spec } as unknown as Resource;
};
const named = { 'external-dns.alpha.kubernetes.io/hostname': 'shop.example.com' };

test('a workload behind a Service of type LoadBalancer is an application without an Ingress', () => {
  const one = only(deployment(), balanced(undefined, named));
  assert.deepEqual([one.name, one.service, one.ingress, one.assumed], ['shop-web', 'shop', null, []]);
  const at = (port: number) => urlOf(only(deployment(), balanced([{ port, targetPort: 'http' }], named)));
  assert.deepEqual(
    [at(80), at(443), at(8080)],
    ['http://shop.example.com/', 'https://shop.example.com/', 'http://shop.example.com:8080/'],
  );
  const ports = [
    { name: 'metrics', port: 9090 },
    { name: 'http', port: 80, targetPort: 'http' },
  ];
  assert.equal(urlOf(only(deployment(), balanced(ports, named))), 'http://shop.example.com/');
  assert.deepEqual(only(deployment(), balanced()).assumed, [
    `Service shop names no host: ${assumedHost} is asked for.`,
  ]);
});

test('what an Ingress leads to is reached through it, also where its Service is a load balancer', () => {
  assert.equal(only(deployment(), balanced(), ingress()).ingress, 'front');
});

test('the load balancer of an ingress controller is the way to applications and none itself', () => {
  const image = 'registry.k8s.io/ingress-nginx/controller:v1.15.1';
  const controller = deployment('controller', 'shop', { containers: [{ name: 'controller', image }] });
  assert.deepEqual(found(controller, balanced()), { applications: [], deadEnds: [] });
});

test('objects in other namespaces are not taken for those of the Ingress', () => {
  const away = { ...service(), metadata: { name: 'shop', namespace: 'other' } } as Resource;
  assert.equal(found(deployment(), away, ingress()).applications.length, 0);
});
