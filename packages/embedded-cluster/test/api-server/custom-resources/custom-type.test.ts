import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inApi, request } from '../in-api.ts';

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 9 },
        color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
        names: {
          type: 'array',
          maxItems: 2,
          'x-kubernetes-list-type': 'set',
          items: { type: 'string', pattern: '^a' },
        },
        kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
      'x-kubernetes-validations': [
        { rule: "self.size < 9 || self.color == 'blue'", message: 'only blue ones have 9' },
        { rule: 'self.size >= oldSelf.size', message: 'never shrinks' },
        { rule: 'unheardOf(self)', message: 'cannot be read' },
      ],
    },
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};
const things = '/apis/example.com/v1/things';
const thing = (spec: unknown, name = 'a') => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
});
const merge = { 'content-type': 'application/merge-patch+json' };

type Send = (method: 'POST' | 'PATCH', path: string, body: unknown) => ReturnType<typeof request>;

const withDefinition = (play: (send: Send) => Promise<void>) =>
  inApi(async ({ server }) => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    assert.equal((await request(server, 'POST', definitions, definition)).status, 201);
    await play((method, path, body) => request(server, method, things + path, body, method === 'PATCH' ? merge : {}));
  });

test('a custom resource gets the defaults of its schema and loses unknown fields', () =>
  withDefinition(async (send) => {
    const { status, json, headers } = await send('POST', '', thing({ size: 1, nope: 1, kept: { any: 1 } }));
    assert.deepEqual([status, json.spec], [201, { size: 1, color: 'red', kept: { any: 1 } }]);
    assert.equal(headers.warning, '299 - "unknown field \\"spec.nope\\""');
    assert.equal((await send('POST', '?fieldValidation=Strict', thing({ size: 1, nope: 1 }, 'b'))).status, 400);
  }));

test('a custom resource is refused with each error by its schema, and with its rules when the schema holds', () =>
  withDefinition(async (send) => {
    const causes = async (spec: unknown) => {
      const { status, json } = await send('POST', '?dryRun=All', thing(spec));
      assert.equal(status, 422);
      return json.details.causes.map(
        ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
      );
    };
    const notChecked =
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    assert.deepEqual(await causes({}), ['spec.size: Required value', notChecked]);
    assert.deepEqual(await causes({ size: 'x' }), [
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
      notChecked,
    ]);
    assert.deepEqual(await causes({ size: 10, names: ['b'] }), [
      'spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9',
      'spec.names[0]: Invalid value: "b": spec.names[0] in body should match \'^a\'',
      'spec: Invalid value: "object": only blue ones have 9',
    ]);
    assert.deepEqual(await causes({ size: 9, names: ['a', 'a'], color: 'blue' }), [
      'spec.names[1]: Duplicate value: "a"',
    ]);
    assert.deepEqual(await causes({ size: 1, color: 'green' }), [
      'spec.color: Unsupported value: "green": supported values: "red", "blue"',
      notChecked,
    ]);
    assert.deepEqual(await causes({ size: 1, names: ['a', 'ab', 'ac'] }), [
      'spec.names: Too many: 3: must have at most 2 items',
      notChecked,
    ]);
  }));

test('a rule about oldSelf holds for a new custom resource and is asked at each change', () =>
  withDefinition(async (send) => {
    assert.equal((await send('POST', '', thing({ size: 5 }))).status, 201);
    assert.equal((await send('PATCH', '/a', { spec: { size: 6 } })).status, 200);
    const { status, json } = await send('PATCH', '/a', { spec: { size: 4 } });
    assert.deepEqual([status, json.details.causes[0].message], [422, 'Invalid value: "object": never shrinks']);
  }));
