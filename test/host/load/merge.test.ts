import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LoadError } from '../../../src/host/host.ts';
import { merge } from '../../../src/host/load/merge.ts';
import { tally } from '../../../src/host/load/tally.ts';

type Outcome = { readonly status: number; readonly seconds: number } | { readonly error: LoadError };

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ status: fc.constantFrom(200, 404, 500, 503), seconds: fc.double({ min: 0, max: 12, noNaN: true }) }),
  fc.record({ error: fc.constantFrom('refused', 'reset', 'timeout', 'closed', 'client' as const) }),
);

function counting(requests: number, outcomes: readonly Outcome[], startedAt = 0, seconds = 5) {
  const counted = tally({ requests, timeoutSeconds: 10 });
  for (const one of outcomes) {
    if ('error' in one) counted.failed(one.error);
    else counted.answered(one.status, one.seconds);
  }
  return counted.end(startedAt, seconds);
}

test('what several workers counted is what one would have counted over the same answers', () => {
  const workers = fc.array(fc.array(outcome, { maxLength: 60 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(workers, fc.nat(50), (shares, unsent) => {
      const all = shares.flat();
      const requests = all.length + unsent;
      // By JSON, as the results of workers travel.
      const results = shares.map((share) => JSON.parse(JSON.stringify(counting(share.length, share))));
      assert.deepEqual(merge(requests, results), counting(requests, all));
    }),
  );
});

test('percentiles of the whole are no averages of the workers’', () => {
  const fast = Array.from({ length: 990 }, () => ({ status: 200, seconds: 0.001 }));
  const slow = Array.from({ length: 10 }, () => ({ status: 200, seconds: 4 }));
  const merged = merge(1000, [counting(990, fast), counting(10, slow)]);
  assert.ok(Math.abs((merged?.percentiles.p99 ?? 0) - 0.001) < 2e-5);
  assert.equal(merged?.percentiles.p999, 4);
});

test('the whole lasts from the first start to the last end', () => {
  const merged = merge(0, [counting(0, [], 1000, 5), counting(0, [], 3000, 4.5), counting(0, [], 2000, 1)]);
  assert.deepEqual([merged?.startedAt, merged?.seconds], [1000, 6.5]);
});

test('what no worker sent is not sent, and nothing can be said without a result', () => {
  assert.equal(merge(100, [counting(40, [{ status: 200, seconds: 1 }])])?.unsent, 99);
  assert.equal(merge(100, []), undefined);
});
