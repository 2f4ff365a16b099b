import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { differences } from '../../../src/validation/manifests/differences.ts';

test('each difference is named by its JSON Pointer', () => {
  const before = { a: 1, b: { c: [1, 2], 'x/y~z': true }, list: [1] };
  assert.deepEqual(differences(before, { a: 1, b: { c: [1, 3], 'x/y~z': false }, list: [1, 2], new: {} }), [
    '/b/c/1',
    '/b/x~1y~0z',
    '/list',
    '/new',
  ]);
});

test('a document differs from itself in nothing, and from another in something', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      assert.deepEqual(differences(a, structuredClone(a)), []);
      const same = JSON.stringify(a) === JSON.stringify(b);
      if (!same && !isReordered(a, b)) assert.ok(differences(a, b).length > 0);
    }),
  );
});

/** Whether two values are the same document: members in another order and -0 do not matter. */
function isReordered(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
    return true;
  } catch {
    return false;
  }
}
