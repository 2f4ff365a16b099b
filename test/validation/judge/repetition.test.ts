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
    downtime: { seconds },
    nodeReadySeconds: null,
    podReadySeconds: 1,
  }) as unknown as ScenarioResult;

test('the median, the worst, and a 99th percentile only of a hundred runs or more', () => {
  const of = (values: readonly number[]) => repetitions(values.map((value) => [result(value)]))[0]?.downtimeSeconds;
  assert.deepEqual(of([3, 1, 2]), { median: 2, max: 3, p99: null });
  assert.deepEqual(of([4, 1, 2, 3]), { median: 2.5, max: 4, p99: null });
  assert.deepEqual(of(Array.from({ length: 100 }, (_, index) => index + 1)), { median: 50.5, max: 100, p99: 99 });
});

test('what was not made does not count, and what nobody measured has no numbers', () => {
  const notTested = { ...result(0, 'not-tested'), downtime: null };
  const [row] = repetitions([[result(1)], [result(2, 'fail')], [notTested]]);
  assert.deepEqual([row?.runs, row?.passed, row?.nodeReadySeconds], [2, 1, null]);
  assert.deepEqual(repetitions([[notTested]]), []);
});

test('the median lies between the others, and the order of the runs changes nothing', () => {
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
