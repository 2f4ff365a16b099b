import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { deployment, ingress, route, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

const told = async (...objects: readonly object[]) => {
  const read = await readOwnManifests([deployment(), service(), ...objects].map((one) => stringify(one)).join('---\n'));
  assert.ok('notRehearsed' in read, JSON.stringify(read));
  return read.notRehearsed;
};

test('an Ingress of another controller is named with its line and the scenarios that it concerns', async () => {
  const [one, ...more] = await told(ingress({ ingressClassName: 'haproxy' }));
  assert.deepEqual(more, []);
  assert.match(one?.what ?? '', /^Ingress front is served by the controller of class haproxy, which is not rehearsed/);
  assert.deepEqual(one?.at, { file: 'own.yaml', line: 41 });
  for (const scenario of ['node-drain', 'instance-kill', 'ingress-controller-failure'])
    assert.ok(one?.concerns.includes(scenario), scenario);
});

test('an Ingress of ingress-nginx is rehearsed as it is, whatever the name of its class', async () => {
  assert.deepEqual(await told(ingress()), []);
  const named = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'public' },
    spec: { controller: 'k8s.io/ingress-nginx' },
  };
  assert.deepEqual(await told(named, ingress({ ingressClassName: 'public' })), []);
});

test('an HTTPRoute is named with the controller of its Gateway’s class', async () => {
  const gateway = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'edge' },
    spec: { gatewayClassName: 'cilium', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
  };
  const whats = (await told(gateway, route)).map(({ what }) => what);
  assert.equal(whats.length, 1);
  assert.match(whats[0] ?? '', /^HTTPRoute shop is served by the controller of class cilium/);
});

test('annotations of ingress-nginx that have no effect in a rehearsal are told at their lines', async () => {
  const [one, ...more] = await told(ingress({}, { 'nginx.ingress.kubernetes.io/service-upstream': 'true' }));
  assert.deepEqual(more, []);
  assert.match(one?.what ?? '', /service-upstream has no effect in a rehearsal/);
});

test('a canary is named with its share of the visitors, and is no application of its own', async () => {
  const canary = {
    'nginx.ingress.kubernetes.io/canary': 'true',
    'nginx.ingress.kubernetes.io/canary-weight': '20',
  };
  const second = { ...ingress({}, canary), metadata: { name: 'canary', annotations: canary } };
  const [one, ...more] = await told(ingress(), second);
  assert.deepEqual(more, []);
  assert.match(one?.what ?? '', /it is a canary, to which 20 of 100 visitors go: the stable one is measured alone/);
});
