import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonPatch } from '../../src/api-server/patches/json-patch.ts';
import { mergePatch } from '../../src/api-server/patches/patch.ts';
import { strategicFault } from '../../src/api-server/patches/strategic-fault.ts';
import { strategicMergePatch } from '../../src/api-server/patches/strategic-merge-patch.ts';
import { served } from '../../src/api-server/served.ts';
import { shapeOf } from '../../src/api-server/shapes.ts';

test('merge patches give the results of RFC 7396, appendix A', () => {
  const examples: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of examples) assert.deepEqual(mergePatch(target, patch), result);
});

/** JSON without the key `__proto__`, which no object of Kubernetes has. */
const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));

test('a merge patch is idempotent and does not modify its target', () => {
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const before = structuredClone(target);
      const once = mergePatch(target, patch);
      assert.deepEqual(mergePatch(once, patch), once);
      assert.deepEqual(target, before);
    }),
  );
});

test('add, remove, replace, move, copy and test give the results of RFC 6902, appendix A', () => {
  const value = (document: unknown, ...operations: Parameters<typeof jsonPatch>[1][number][]) =>
    jsonPatch(document, operations)?.value;
  assert.deepEqual(value({ foo: 'bar' }, { op: 'add', path: '/baz', value: 'qux' }), { foo: 'bar', baz: 'qux' });
  assert.deepEqual(value({ foo: ['a', 'b'] }, { op: 'add', path: '/foo/1', value: 'x' }), { foo: ['a', 'x', 'b'] });
  assert.deepEqual(value({ foo: ['a'] }, { op: 'add', path: '/foo/-', value: ['b'] }), { foo: ['a', ['b']] });
  assert.deepEqual(value({ foo: 1, baz: 2 }, { op: 'remove', path: '/baz' }), { foo: 1 });
  assert.deepEqual(value({ foo: ['a', 'b', 'c'] }, { op: 'remove', path: '/foo/1' }), { foo: ['a', 'c'] });
  assert.deepEqual(value({ foo: 1 }, { op: 'replace', path: '/foo', value: 2 }), { foo: 2 });
  assert.deepEqual(
    value({ foo: { bar: 'baz', waldo: 'fred' }, qux: {} }, { op: 'move', from: '/foo/waldo', path: '/qux/thud' }),
    { foo: { bar: 'baz' }, qux: { thud: 'fred' } },
  );
  assert.deepEqual(value({ foo: ['a', 'b', 'c'] }, { op: 'move', from: '/foo/0', path: '/foo/2' }), {
    foo: ['b', 'c', 'a'],
  });
  assert.deepEqual(value({ a: 1 }, { op: 'copy', from: '/a', path: '/b' }), { a: 1, b: 1 });
  assert.deepEqual(value({ '/': 9, '~1': 10 }, { op: 'test', path: '/~01', value: 10 }), { '/': 9, '~1': 10 });
  assert.deepEqual(value({ a: [1, { b: 2 }] }, { op: 'test', path: '/a', value: [1, { b: 2 }] }), { a: [1, { b: 2 }] });
  assert.equal(value({ foo: 'bar' }, { op: 'add', path: '/a/b', value: 1 }), undefined);
  assert.equal(value({ foo: 'bar' }, { op: 'test', path: '/foo', value: 'x' }), undefined);
  assert.equal(value({ a: '1' }, { op: 'test', path: '/a', value: 1 }), undefined);
  assert.equal(value({}, { op: 'remove', path: '/a' }), undefined);
  // Where RFC 6902 wants an error, the API server copies nothing.
  assert.deepEqual(value({}, { op: 'copy', from: '/a', path: '/b' }), { b: null });
  assert.equal(value({ a: [] }, { op: 'replace', path: '/a/0', value: 1 }), undefined);
});

test('a JSON patch sets a missing member by replace, as the API server does', () => {
  assert.deepEqual(jsonPatch({}, [{ op: 'replace', path: '/a', value: 1 }]), { value: { a: 1 } });
});

test('a JSON patch whose test fails makes none of its changes', () => {
  const document = { spec: { replicas: 2 } };
  const outcome = jsonPatch(document, [
    { op: 'replace', path: '/spec/replicas', value: 5 },
    { op: 'test', path: '/spec/replicas', value: 2 },
  ]);
  assert.equal(outcome, undefined);
  assert.deepEqual(document, { spec: { replicas: 2 } });
});

const podTemplate = (containers: unknown, more = {}) => ({ spec: { template: { spec: { containers, ...more } } } });
const strategic = (target: unknown, patch: unknown) => strategicMergePatch(target, patch, shapeOf(served.Deployment));

test('a strategic merge patch merges containers by name, ports by containerPort and environment by name', () => {
  const before = podTemplate([
    { name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] },
    { name: 'side', image: 'side' },
  ]);
  const patch = podTemplate([
    { name: 'nginx', image: 'nginx:2', ports: [{ containerPort: 81 }], env: [{ name: 'A', value: '2' }] },
    { name: 'new', image: 'new' },
  ]);
  assert.deepEqual(
    strategic(before, patch),
    podTemplate([
      {
        name: 'nginx',
        image: 'nginx:2',
        ports: [{ containerPort: 81 }, { containerPort: 80 }],
        env: [{ name: 'A', value: '2' }],
      },
      { name: 'new', image: 'new' },
      { name: 'side', image: 'side' },
    ]),
  );
});

test('a strategic merge patch replaces tolerations and taints as a whole, because they have no merge key', () => {
  const before = podTemplate([], { tolerations: [{ key: 'a' }, { key: 'b' }] });
  assert.deepEqual(
    strategic(before, podTemplate([], { tolerations: [{ key: 'c' }] })),
    podTemplate([], { tolerations: [{ key: 'c' }] }),
  );
  const node = { spec: { taints: [{ key: 'a' }] } };
  const patch = { spec: { taints: [{ key: 'b' }] } };
  assert.deepEqual(strategicMergePatch(node, patch, shapeOf(served.Node)), patch);
});

test('a strategic merge patch applies delete, replace, retainKeys, deleteFromPrimitiveList and null', () => {
  const before = podTemplate([{ name: 'a' }, { name: 'b' }], { nodeSelector: { x: 'y' } });
  assert.deepEqual(
    strategic(before, podTemplate([{ name: 'a', $patch: 'delete' }])),
    podTemplate([{ name: 'b' }], { nodeSelector: { x: 'y' } }),
  );
  assert.deepEqual(
    strategic(before, podTemplate([{ $patch: 'replace' }, { name: 'c' }], { nodeSelector: null })),
    podTemplate([{ name: 'c' }]),
  );
  assert.deepEqual(
    strategic(
      { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    ),
    { spec: { strategy: { type: 'Recreate' } } },
  );
  const finalizers = { metadata: { finalizers: ['a', 'b'] } };
  assert.deepEqual(strategic(finalizers, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }), {
    metadata: { finalizers: ['b'] },
  });
  assert.deepEqual(
    strategic(finalizers, { metadata: { finalizers: ['c', 'a'], '$setElementOrder/finalizers': ['c', 'a', 'b'] } }),
    {
      metadata: { finalizers: ['c', 'a', 'b'] },
    },
  );
});

test('a strategic merge patch leaves lists in the order of a kube-apiserver', () => {
  const named = (names: string) => podTemplate([...names].map((name) => ({ name })));
  const inOrder = (order: string, names: string) =>
    podTemplate(
      [...names].map((name) => ({ name })),
      { '$setElementOrder/containers': [...order].map((name) => ({ name })) },
    );
  // Each with what a kube-apiserver 1.34.4 made of it.
  const rows = [
    ['abc', named('n'), 'nabc'],
    ['nabc', named('ca'), 'nbca'],
    ['nbca', inOrder('cnba', 'b'), 'cnba'],
    ['cnba', inOrder('za', 'z'), 'zcnba'],
    ['zcnba', inOrder('abc', ''), 'znabc'],
  ] as const;
  for (const [before, patch, after] of rows) assert.deepEqual(strategic(named(before), patch), named(after), after);
});

test('a strategic merge patch without a merge key or with a wrong directive has a fault', () => {
  const faultOf = (patch: unknown) => strategicFault(patch, shapeOf(served.Deployment));
  assert.equal(faultOf(podTemplate([{ name: 'a' }, { $patch: 'replace' }])), undefined);
  assert.deepEqual(faultOf(podTemplate([{ image: 'x' }])), {
    status: 500,
    why: 'map: map[image:x] does not contain declared merge key: name',
  });
  assert.deepEqual(faultOf(podTemplate([], { $setElementOrder: ['x'] })), {
    status: 400,
    why: 'invalid patch format of setElementOrder list',
  });
});

test('a strategic merge patch merges conditions by type and owner references by uid', () => {
  const pod = {
    metadata: { ownerReferences: [{ uid: '1', name: 'a' }] },
    status: { conditions: [{ type: 'Ready', status: 'False' }] },
  };
  const patch = {
    metadata: { ownerReferences: [{ uid: '1', controller: true }] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'PodScheduled', status: 'True' },
      ],
    },
  };
  assert.deepEqual(strategicMergePatch(pod, patch, shapeOf(served.Pod)), {
    metadata: { ownerReferences: [{ uid: '1', name: 'a', controller: true }] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'PodScheduled', status: 'True' },
      ],
    },
  });
});

test('a strategic merge patch of an unknown type is a fault, whatever its type is', () => {
  for (const [type, told] of [
    ['explode', 'explode'],
    [{ toString: 1 }, 'map[toString:1]'],
  ] as const) {
    const fault = strategicFault({ metadata: { $patch: type } }, undefined);
    assert.deepEqual(fault, { status: 500, why: `unknown patch type: ${told} in map: map[$patch:${told}]` });
  }
});
