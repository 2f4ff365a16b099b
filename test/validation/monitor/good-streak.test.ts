import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { goodStreak } from '../../../src/validation/monitor/good-streak.ts';

test('a sample under way ends the row until it turns out to be good', () => {
  const streak = goodStreak();
  const [first, second, third] = [1, 2, 3].map((at) => streak.begin(at));
  first?.(true);
  third?.(true);
  assert.equal(streak.since(0), 1);
  second?.(true);
  assert.equal(streak.since(0), 3);
  assert.equal(streak.since(2), 2);
});

test('a bad sample that ends late ends the row of the samples that started after it', () => {
  const streak = goodStreak();
  const slow = streak.begin(1);
  for (const at of [2, 3, 4]) streak.begin(at)(true);
  slow(false);
  assert.equal(streak.since(0), 3);
  streak.begin(5)(false);
  assert.equal(streak.since(0), 0);
});

test('the row is in the order of the starts, in whatever order samples end', () => {
  const samples = fc.array(fc.record({ good: fc.boolean(), endsAt: fc.nat(1000) }), { maxLength: 60 });
  fc.assert(
    fc.property(samples, (course) => {
      const streak = goodStreak();
      const ends = course.map(({ good, endsAt }, at) => ({ end: streak.begin(at), good, endsAt }));
      for (const { end, good } of ends.toSorted((a, b) => a.endsAt - b.endsAt)) end(good);
      assert.equal(streak.since(0), course.length - 1 - course.findLastIndex(({ good }) => !good));
    }),
  );
});

test('the memory of a row is bounded', () => {
  const streak = goodStreak();
  for (let at = 0; at < 5000; at++) streak.begin(at)(true);
  assert.equal(streak.since(0), 1000);
});
