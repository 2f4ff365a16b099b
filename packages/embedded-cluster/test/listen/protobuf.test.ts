import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonOfProtobuf } from '../../src/listen/protobuf.ts';

/** The body that `kubectl create namespace n1` of version 1.33 sends. */
const namespace = Buffer.concat([
  Buffer.from('k8s\0'),
  field(1, field(1, 'v1'), field(2, 'Namespace')),
  field(2, field(1, field(1, 'n1'), field(2, ''), field(3, ''), field(8)), field(2), field(3, field(1, ''))),
  field(3, ''),
  field(4, ''),
]);

/** A field with a length (protobuf.dev, "Encoding"). */
function field(number: number, ...parts: readonly (string | Buffer)[]): Buffer {
  const contents = Buffer.concat(parts.map((part) => Buffer.from(part)));
  assert.ok(contents.length < 128);
  return Buffer.concat([Buffer.from([number * 8 + 2, contents.length]), contents]);
}

const enveloped = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), field(1, field(1, apiVersion), field(2, kind)), field(2, raw)]);

test('empty fields, which clients in Go send, are left out of the JSON', () => {
  const json = jsonOfProtobuf(namespace);
  assert.deepEqual(JSON.parse(json ?? ''), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n1' } });
});

test('numbers, maps and repeated fields are read', () => {
  const container = field(
    2,
    field(1, 'c'),
    field(3, 'sleep'),
    field(3, ''),
    field(6, Buffer.from([3 * 8, 0x90, 0x3f])),
  );
  const spec = field(
    2,
    Buffer.from([8, 3]),
    field(2, field(1, field(1, 'app'), field(2, 'a'))),
    field(3, field(2, container)),
  );
  const { spec: read } = JSON.parse(jsonOfProtobuf(enveloped('apps/v1', 'Deployment', spec)) ?? '');
  const containers = [{ name: 'c', command: ['sleep', ''], ports: [{ containerPort: 8080 }] }];
  assert.deepEqual(read, { replicas: 3, selector: { matchLabels: { app: 'a' } }, template: { spec: { containers } } });
});

test('an object of an unknown kind or with an unknown field is not converted, so that nothing is lost', () => {
  const unknown = field(1, field(1, 'n1'), field(15, 'x'));
  assert.equal(jsonOfProtobuf(enveloped('v1', 'Namespace', unknown)), undefined);
  assert.equal(jsonOfProtobuf(enveloped('v1', 'Gadget', field(1, field(1, 'n1')))), undefined);
});

test('truncated or other bytes are not converted', () => {
  for (let length = 0; length < namespace.length; length += 1) {
    const read = jsonOfProtobuf(namespace.subarray(0, length));
    assert.ok(read === undefined || JSON.parse(read).metadata.name === 'n1');
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (any) => {
      assert.equal(jsonOfProtobuf(any), undefined);
      void jsonOfProtobuf(Buffer.concat([namespace.subarray(0, 20), any]));
    }),
  );
});
