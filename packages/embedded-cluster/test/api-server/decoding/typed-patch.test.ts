import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '../../../src/api-server/decoding/definitions.ts';
import { typedPatchFault } from '../../../src/api-server/decoding/typed-patch.ts';

const deployment: Schema = { $ref: 'io.k8s.api.apps.v1.Deployment' };
const fault = (spec: object) => typedPatchFault({ apiVersion: 'apps/v1', kind: 'Deployment', spec }, deployment);
const ofContainer = (container: object) => fault({ template: { spec: { containers: [container] } } });

test('an applied object of the right types has no fault', () => {
  assert.equal(fault({ replicas: 1, selector: { matchLabels: { a: 'b' } }, strategy: null }), undefined);
  assert.equal(ofContainer({ resources: { limits: { cpu: 1, memory: '1Gi' } }, ports: [] }), undefined);
});

for (const [broken, words] of [
  [fault({ nope: 1 }), '.spec.nope: field not declared in schema'],
  [fault({ replicas: 'x' }), '.spec.replicas: expected numeric (int or float), got string'],
  [fault({ selector: [] }), '.spec.selector: expected map, got &{[]}'],
  [fault({ template: { spec: { containers: {} } } }), '.spec.template.spec.containers: expected list, got &{map[]}'],
  [
    ofContainer({ image: 5 }),
    '.spec.template.spec.containers[0].image: expected string, got &value.valueUnstructured{Value:5}',
  ],
  [ofContainer({ tty: 'x' }), '.spec.template.spec.containers[0].tty: expected boolean, got &{x}'],
  [fault({ a: 1, b: 1 }), 'errors:\n  .spec.a: field not declared in schema\n  .spec.b: field not declared in schema'],
])
  test(`a fault of an applied object is reported as ${words}`, () => assert.equal(broken, words));
