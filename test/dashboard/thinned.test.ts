import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { thinned } from '../../src/dashboard/thinned.ts';

const few = (all: readonly number[], most: number, wins: (one: number, other: number) => boolean) =>
  thinned(all, most, (one) => one, wins);

test('at most the given number of items is kept, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000)), fc.integer({ min: 1, max: 20 }), (instants, most) => {
      const all = instants.toSorted((a, b) => a - b);
      const kept = few(all, most, () => true);
      assert.ok(kept.length <= Math.max(most, 0) || all.length <= most);
      assert.deepEqual(
        kept,
        kept.toSorted((a, b) => a - b),
      );
      if (all.length <= most) assert.deepEqual(kept, all);
      assert.equal(kept.at(-1), all.at(-1), 'the last one wins here');
    }),
  );
});

test('of each part of the time the winning item is kept', () => {
  const isEven = (one: number): boolean => one % 2 === 0;
  assert.deepEqual(
    few([1, 2, 3, 4, 31, 33, 99], 5, (one, other) => isEven(one) && !isEven(other)),
    [2, 31, 99],
  );
  assert.deepEqual(
    few([7, 7, 7], 2, () => false),
    [7],
  );
});
