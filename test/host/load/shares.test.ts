import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LoadPlan } from '../../../src/host/host.ts';
import { mostLateSeconds, paceOf } from '../../../src/host/load/pace.ts';
import { shareOf } from '../../../src/host/load/shares.ts';

const of = (over: Partial<LoadPlan>): LoadPlan => ({
  url: 'http://app.example.com/',
  requests: 20_000,
  concurrency: 500,
  timeoutSeconds: 10,
  ...over,
});
const sharesOf = (plan: LoadPlan, workers: number) =>
  Array.from({ length: workers }, (_, index) => shareOf(plan, workers, index));
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

test('the shares of the workers sum to the requests and the concurrency that were asked for, and differ by one at most', () => {
  const whole = fc.integer({ min: 1, max: 1_000_000_000 });
  fc.assert(
    fc.property(whole, whole, fc.integer({ min: 1, max: 2000 }), (requests, concurrency, workers) => {
      const shares = sharesOf(of({ requests, concurrency }), workers);
      for (const [key, asked] of [['requests', requests] as const, ['concurrency', concurrency] as const]) {
        const parts = shares.map((share) => share[key]);
        assert.equal(sum(parts), asked);
        assert.ok(Math.max(...parts) - Math.min(...parts) <= 1);
      }
    }),
    { numRuns: 50 },
  );
});

/** When each request is due if each is taken at once. */
function dueTimes(plan: LoadPlan): readonly number[] {
  const pace = paceOf(plan);
  return Array.from({ length: plan.requests }, () => pace.next(0) ?? Number.NaN);
}

test('the requests of a rate are due at the same times, however many workers share them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0.1, max: 10_000, noNaN: true }),
      (requests, workers, perSecond) => {
        const plan = of({ requests, rate: { perSecond, first: 0, every: 1 } });
        const shared = sharesOf(plan, workers).flatMap(dueTimes);
        assert.deepEqual(
          shared.toSorted((a, b) => a - b),
          dueTimes(plan),
        );
      },
    ),
  );
});

test('a share of a share is a share of the whole', () => {
  const plan = of({ requests: 1000, rate: { perSecond: 100, first: 0, every: 1 } });
  const twice = sharesOf(plan, 3).flatMap((share) => sharesOf(share, 4));
  assert.deepEqual(
    twice.flatMap(dueTimes).toSorted((a, b) => a - b),
    dueTimes(plan),
  );
});

test('a request of a rate that is not sent in time is not sent at all; without a rate none is too late', () => {
  const pace = paceOf(of({ requests: 10, rate: { perSecond: 10, first: 0, every: 1 } }));
  assert.equal(pace.next(0), 0);
  assert.ok(Math.abs((pace.next(0.05) ?? 0) - 0.05) < 1e-9);
  // 0.2 s and 0.3 s are over by more than that; 0.4 s is the next.
  assert.ok(Math.abs((pace.next(0.35 + mostLateSeconds) ?? 0) - (0.05 - mostLateSeconds)) < 1e-9);
  assert.deepEqual(
    Array.from({ length: 7 }, () => pace.next(0.35 + mostLateSeconds)).filter((wait) => wait !== undefined).length,
    5,
  );
  const closed = paceOf(of({ requests: 2 }));
  assert.deepEqual([closed.next(0), closed.next(1e6), closed.next(1e6)], [0, 0, undefined]);
});
