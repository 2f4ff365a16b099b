import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tally } from '../../../src/host/load/tally.ts';

const seconds = fc.double({ min: 0, max: 12, noNaN: true });
const answer = fc.tuple(fc.constantFrom(200, 301, 404, 429, 500, 503), seconds);
const error = fc.constantFrom('dns', 'refused', 'reset', 'timeout', 'client' as const);

test('every request is counted once, under its status or its error', () => {
  fc.assert(
    fc.property(fc.array(answer), fc.array(error), (answers, errors) => {
      const counted = tally({ requests: 1, timeoutSeconds: 10 });
      for (const [status, taken] of answers) counted.answered(status, taken);
      for (const kind of errors) counted.failed(kind);
      const result = counted.end(0, 1);
      for (const status of [200, 301, 404, 429, 500, 503])
        assert.equal(result.statuses[status] ?? 0, answers.filter(([other]) => other === status).length);
      for (const kind of ['dns', 'refused', 'reset', 'timeout', 'client'] as const)
        assert.equal(result.errors[kind] ?? 0, errors.filter((other) => other === kind).length);
      assert.equal(
        result.latency.reduce((sum, { count }) => sum + count, 0),
        answers.length,
      );
    }),
  );
});

test('percentiles are by the nearest rank, never too low and at most 1 % too high; the maximum is exact', () => {
  fc.assert(
    fc.property(fc.array(seconds, { minLength: 1, maxLength: 300 }), (times) => {
      const counted = tally({ requests: 1, timeoutSeconds: 10 });
      for (const taken of times) counted.answered(200, taken);
      const { percentiles } = counted.end(0, 1);
      const sorted = times.toSorted((a, b) => a - b);
      for (const [name, share] of [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
        ['p999', 0.999],
      ] as const) {
        const exact = Math.min(sorted[Math.ceil(sorted.length * share) - 1] ?? 0, 10.1);
        // Times are reported in microseconds.
        assert.ok(percentiles[name] >= exact - 1e-6, `${name} ${percentiles[name]} of ${exact}`);
        assert.ok(
          percentiles[name] <= Math.max(exact * 1.01, 1e-6) + 1e-6 || percentiles[name] <= (sorted.at(-1) ?? 0),
          `${name} ${percentiles[name]} of ${exact}`,
        );
      }
      assert.ok(Math.abs(percentiles.max - (sorted.at(-1) ?? 0)) <= 1e-6);
    }),
  );
});

test('the histogram’s rows are in order, without empty ones, and hold what took at most so long', () => {
  const counted = tally({ requests: 1, timeoutSeconds: 10 });
  for (const taken of [0.0004, 0.0009, 0.003, 0.004, 0.3, 7]) counted.answered(200, taken);
  assert.deepEqual(counted.end(0, 1).latency, [
    { upToSeconds: 0.001, count: 2 },
    { upToSeconds: 0.005, count: 2 },
    { upToSeconds: 0.5, count: 1 },
    { upToSeconds: 10, count: 1 },
  ]);
});

test('without requests all percentiles are zero and there are no rows', () => {
  const { latency, percentiles } = tally({ requests: 1, timeoutSeconds: 10 }).end(0, 0);
  assert.deepEqual([latency, percentiles], [[], { p50: 0, p90: 0, p99: 0, p999: 0, max: 0 }]);
});
