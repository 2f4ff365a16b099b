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

test('a deadline that is restarted has its whole time from then on, and cancels the step under way once', (t) => {
  const clock = clockOf(t);
  const cancelled: number[] = [];
  const limit = deadline(10);
  limit.during(() => cancelled.push(clock.now()));
  for (let request = 0; request < 5; request += 1) {
    clock.passes(9000);
    limit.restart(clock.now());
  }
  assert.deepEqual([cancelled, limit.leftSeconds()], [[], 10]);
  clock.passes(9999);
  assert.deepEqual(cancelled, []);
  clock.passes(6001);
  assert.deepEqual([cancelled.length, limit.expired(), limit.leftSeconds()], [1, true, 0]);
  clock.passes(60_000);
  assert.equal(cancelled.length, 1);
});

test('a deadline that was let expire, or is cleared, does not ring; restarted, it does', (t) => {
  const clock = clockOf(t);
  let cancelled = 0;
  const limit = deadline(10);
  limit.during(() => {
    cancelled += 1;
  });
  limit.expire();
  clock.passes(20_000);
  assert.equal(cancelled, 1);
  limit.restart(clock.now());
  assert.equal(limit.expired(), false);
  clock.passes(10_000);
  assert.equal(cancelled, 2);
  limit.restart(clock.now());
  limit.clear();
  clock.passes(20_000);
  assert.equal(cancelled, 2);
});
