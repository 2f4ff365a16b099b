import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, deployment, objects } from '../../../test/support/own-manifests.ts';
import type { Clock } from '../src/outside/clock.ts';
import { tryObjects } from '../src/try-objects.ts';
import type { Written } from '../src/world/apply-objects.ts';

const clock: Clock = { wallAt: () => 0, monotonicSeconds: () => 0, sleep: async () => {}, hold: (_, work) => work() };
const tried = (...all: readonly object[]) => tryObjects({ clock }, all as readonly Written[], 'default');
const faults = async (object: object) => {
  const [answer] = await tried(object);
  return answer?.outcome === 'refused' ? answer.causes.map(({ field, message }) => `${field}: ${message}`) : [];
};

test('objects that a cluster takes are created, each in its place', async () => {
  const all = [...objects(), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } }];
  const outcomes = (await tried(...all, ...objects())).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, [...Array(4).fill('created'), ...Array(3).fill('configured')]);
});

test('an object of a kind without a definition is reported, and taken once its definition is among them', async () => {
  const custom = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: {} };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  assert.deepEqual(await tried(custom), [{ outcome: 'unknown-kind' }]);
  const outcomes = (await tried(custom, definition)).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, ['created', 'created']);
});

test('a refusal has every fault at once: wrong types, unknown fields, and what is not valid', async () => {
  const wrong = {
    ...container,
    image: 7,
    redinessProbe: {},
    ports: [{ containerPort: 80_000 }],
    lifecycle: { preStop: { sleep: { seconds: 'ten' } } },
  };
  assert.deepEqual(await faults(deployment('shop-web', 'shop', { containers: [wrong] })), [
    'spec.template.spec.containers[0].image: number is not of the type string',
    'spec.template.spec.containers[0].lifecycle.preStop.sleep.seconds: string is not of the type int64',
    'spec.template.spec.containers[0].redinessProbe: unknown field',
    'spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 80000: must be between 1 and 65535, inclusive',
  ]);
});

test('a value that cannot be read is found where the API server does not say it', async () => {
  const requests = { cpu: 'lots' };
  const [fault] = await faults(
    deployment('shop-web', 'shop', { containers: [container, { ...container, name: 'x', resources: { requests } }] }),
  );
  assert.match(
    fault ?? '',
    /^spec\.template\.spec\.containers\[1\]\.resources\.requests\.cpu: .*quantities must match/,
  );
});
