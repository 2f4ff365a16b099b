import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CountedSecond, visitorCounts } from '../../../src/deployment/record/visitor-counts.ts';
import { summary, type Visit } from '../../../src/deployment/record/visitors.ts';

/** Counts visits as they are answered, on a clock that stands at the answer. */
function counted(visits: readonly Visit[]): readonly CountedSecond[] {
  let now = 0;
  const seconds: CountedSecond[] = [];
  const clock = { wallAt: () => 1_000_000 + now * 1000, monotonicSeconds: () => now };
  const counts = visitorCounts(clock, 0.5, (second) => seconds.push(second));
  for (const visit of visits.toSorted((one, other) => endOf(one) - endOf(other))) {
    now = endOf(visit);
    counts.add(visit);
  }
  counts.end();
  return seconds;
}

const endOf = ({ at, seconds }: Visit): number => at + seconds;
const visit = (at: number, over: Partial<Visit> = {}): Visit => ({
  at,
  good: true,
  seconds: 0.01,
  torn: false,
  ...over,
});

test('a second is given away when the next but one has begun, and at the end the rest', () => {
  const seconds = counted([visit(0.1), visit(0.9, { good: false }), visit(1.5, { torn: true }), visit(2.5)]);
  assert.deepEqual(
    seconds.map(({ second, requests, failed, torn }) => [second.slice(17, 19), requests, failed, torn]),
    [
      ['40', 2, 1, 0],
      ['41', 1, 0, 1],
      ['42', 1, 0, 0],
    ],
  );
});

test('an answer that comes late counts once more in the second of its request', () => {
  const late = counted([visit(0.5, { seconds: 9, good: false }), visit(0.6), visit(3)]);
  assert.deepEqual(
    late.map(({ second, requests, failed, slow }) => [second.slice(17, 19), requests, failed, slow]),
    [
      ['40', 1, 0, 0],
      ['40', 1, 1, 1],
      ['43', 1, 0, 0],
    ],
  );
});

test('whatever comes in whatever order, no visit is lost and none counts twice', () => {
  const visits = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 20, noNaN: true }),
      good: fc.boolean(),
      seconds: fc.double({ min: 0, max: 5, noNaN: true }),
      torn: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(visits, (all) => {
      const seconds = counted(all);
      const sum = (of: (second: CountedSecond) => number): number => seconds.reduce((total, one) => total + of(one), 0);
      const { requests, failed, slow, torn } = summary(all, 0.5);
      assert.deepEqual(
        [sum((one) => one.requests), sum((one) => one.failed), sum((one) => one.slow), sum((one) => one.torn)],
        [requests, failed, slow, torn],
      );
    }),
  );
});
