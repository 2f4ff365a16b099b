import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../../../src/api-server/decoding/decode.ts';
import { duplicateFields } from '../../../src/api-server/decoding/duplicate-fields.ts';

const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
const decodedPod = (spec: object) => decode(pod(spec), 'io.k8s.api.core.v1.Pod');

test('what fits its type is decoded to itself', () => {
  const value = pod({ containers: [{ name: 'c', image: 'nginx', resources: { limits: { cpu: '1' } } }] });
  assert.equal(decode(value, 'io.k8s.api.core.v1.Pod').value, value);
});

test('unknown fields, nulls and empty lists are left out', () => {
  const { value, unknown, error } = decodedPod({
    nope: 1,
    nodeName: null,
    volumes: [],
    containers: [{ name: 'c', nope: {} }],
  });
  assert.deepEqual(value, pod({ containers: [{ name: 'c' }] }));
  assert.deepEqual(unknown, ['spec.nope', 'spec.containers[0].nope']);
  assert.equal(error, undefined);
});

for (const [spec, error] of [
  [{ hostNetwork: 'x' }, 'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool'],
  [
    { containers: [{ ports: [{ containerPort: 1.5 }] }] },
    'json: cannot unmarshal number 1.5 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
  ],
  [
    { containers: {} },
    'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
  ],
  [
    { nodeSelector: { a: 1 } },
    'json: cannot unmarshal number into Go struct field PodSpec.spec.nodeSelector of type string',
  ],
  [
    { overhead: { cpu: 'lots' } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
] as const)
  test(`${JSON.stringify(spec)} does not fit: ${error}`, () => {
    assert.equal(decodedPod(spec).error, error);
  });

test('a member that is there twice is named with its path', () => {
  const text = '{"a":1,"b":[{"c":1},{"c":"\\"c\\":","c":2,"d":{}}],"a":{"e":1}}';
  assert.deepEqual(duplicateFields(text, JSON.parse(text)), ['a', 'b[1].c']);
  assert.deepEqual(duplicateFields('{"a":{"a":[{"a":1},{"a":1}]}}', { a: { a: [{ a: 1 }, { a: 1 }] } }), []);
});
