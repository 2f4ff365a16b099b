import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { deadline } from '../../../src/host/probe/deadline.ts';

function clockOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  return {
    now: () => now,
    passes: (ms: number) => {
      now += ms;
      t.mock.timers.tick(ms);
    },
  };
}

test('a deadline whose beginning moves on has its whole time from then on, and cancels the step under way once', (t) => {
  const clock = clockOf(t);
  const cancelled: number[] = [];
  let begunAt = clock.now();
  const limit = deadline(10, () => begunAt);
  limit.during(() => cancelled.push(clock.now()));
  for (let request = 0; request < 5; request += 1) {
    clock.passes(9000);
    begunAt = clock.now();
  }
  assert.deepEqual([cancelled, limit.leftSeconds()], [[], 10]);
  clock.passes(9999);
  assert.deepEqual(cancelled, []);
  clock.passes(6001);
  assert.deepEqual([cancelled.length, limit.expired(), limit.leftSeconds()], [1, true, 0]);
  clock.passes(60_000);
  assert.equal(cancelled.length, 1);
});

test('a deadline that begins later rings when it has had its whole time', (t) => {
  const clock = clockOf(t);
  let cancelledAt = 0;
  const limit = deadline(10, () => 25_000);
  limit.during(() => {
    cancelledAt = clock.now();
  });
  for (let second = 0; second < 40 && cancelledAt === 0; second += 1) clock.passes(1000);
  assert.equal(cancelledAt, 35_000);
});

test('a deadline that was let expire, or is cleared, does not ring', (t) => {
  const clock = clockOf(t);
  let cancelled = 0;
  const limit = deadline(10);
  limit.during(() => {
    cancelled += 1;
  });
  limit.expire();
  assert.equal(limit.leftSeconds(), 0);
  clock.passes(20_000);
  assert.equal(cancelled, 1);
  const other = deadline(10);
  other.during(() => {
    cancelled += 1;
  });
  other.clear();
  clock.passes(20_000);
  assert.equal(cancelled, 1);
});
