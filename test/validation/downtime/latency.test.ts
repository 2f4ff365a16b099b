import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { latencyCounter } from '../../../src/validation/downtime/latency.ts';

test('percentiles are those of the sorted durations, to the millisecond', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(70_000), { minLength: 1, maxLength: 300 }), (answers) => {
      const counter = latencyCounter();
      for (const millis of answers) counter.add(millis);
      const sorted = answers.toSorted((a, b) => a - b);
      const rank = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) / 1000;
      assert.deepEqual(counter.end(), { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1) });
    }),
  );
});

test('an answer that took hours is counted, and the maximum is exact', () => {
  const counter = latencyCounter();
  counter.add(7_200_000);
  assert.deepEqual(counter.end(), { p50: 131.072, p90: 131.072, p99: 131.072, max: 7200 });
});

test('without an answer every percentile is null', () => {
  assert.deepEqual(latencyCounter().end(), { p50: null, p90: null, p99: null, max: null });
});
