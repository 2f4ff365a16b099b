import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { repetitions } from '../../../src/validation/judge/repetition.ts';
import type { ScenarioResult } from '../../../src/validation/judge/run-result.ts';

const result = (seconds: number, verdict = 'pass'): ScenarioResult =>
  ({
    name: 'scale-up',
    title: 'Scale up',
    verdict,
    downtime: { seconds, span: { seconds: seconds + 1 } },
    nodeReadySeconds: null,
    podReadySeconds: 1,
  }) as unknown as ScenarioResult;

test('there is a median, a maximum, and a 99th percentile only from a hundred runs on', () => {
  const of = (values: readonly number[]) => repetitions(values.map((value) => [result(value)]))[0]?.downtimeSeconds;
  assert.deepEqual(of([3, 1, 2]), { median: 2, max: 3, p99: null });
  assert.deepEqual(of([4, 1, 2, 3]), { median: 2.5, max: 4, p99: null });
  assert.deepEqual(of(Array.from({ length: 100 }, (_, index) => index + 1)), { median: 50.5, max: 100, p99: 99 });
});

test('runs that did not test a scenario do not count, and values that were not measured are null', () => {
  const notTested = { ...result(0, 'not-tested'), downtime: null };
  const [row] = repetitions([[result(1)], [result(2, 'fail')], [notTested]]);
  assert.deepEqual([row?.runs, row?.passed, row?.nodeReadySeconds], [2, 1, null]);
  assert.deepEqual([row?.downtimeSeconds?.max, row?.spanSeconds?.max], [2, 3]);
  assert.deepEqual(repetitions([[notTested]]), []);
});

test('half of the values are at most the median, and the order of the runs does not matter', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 150 }), (values) => {
      const spread = repetitions(values.map((value) => [result(value)]))[0]?.downtimeSeconds;
      const turned = repetitions(values.toReversed().map((value) => [result(value)]))[0]?.downtimeSeconds;
      assert.deepEqual(spread, turned);
      assert.equal(spread?.max, Math.max(...values));
      const atMost = values.filter((value) => value <= (spread?.median ?? 0)).length;
      assert.ok(atMost * 2 >= values.length);
    }),
  );
});
