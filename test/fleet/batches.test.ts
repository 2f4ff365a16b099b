import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serversSchema } from '../../src/deployment/settings/servers.ts';
import { batchesOf } from '../../src/fleet/roll-out.ts';

const sizes = (batch: string | number) => serversSchema.parse({ batch }).batch;
const counts = (servers: number, batch: string | number) =>
  batchesOf(
    Array.from({ length: servers }, (_, index) => index),
    sizes(batch),
  ).map(({ length }) => length);

test('--batch 1,25%,100%: one, then a quarter of all, then the rest', () => {
  assert.deepEqual(counts(20, '1,25%,100%'), [1, 5, 14]);
  assert.deepEqual(counts(1, '1,25%,100%'), [1]);
});

test('the last size holds until no server is left, and a percentage is at least one server', () => {
  assert.deepEqual(counts(7, '1,2'), [1, 2, 2, 2]);
  assert.deepEqual(counts(7, 3), [3, 3, 1]);
  assert.deepEqual(counts(3, '10%'), [1, 1, 1]);
});

test('without --batch one server goes after another', () => {
  const { batch } = serversSchema.parse({});
  assert.deepEqual(batchesOf(['a', 'b'], batch), [['a'], ['b']]);
});

test('sizes that are none are refused', () => {
  for (const batch of ['', '0', '0%', '101%', '1,,2', '-1', '1.5', 'all', 0, 1.5])
    assert.ok(!serversSchema.safeParse({ batch }).success, String(batch));
});

test('every server is in exactly one batch, in the order of the list, whatever the sizes are', () => {
  const size = fc.oneof(
    fc.integer({ min: 1, max: 50 }).map((servers) => ({ servers })),
    fc.integer({ min: 1, max: 100 }).map((percent) => ({ percent })),
  );
  fc.assert(
    fc.property(fc.nat(300), fc.array(size, { minLength: 1, maxLength: 5 }), (count, list) => {
      const servers = Array.from({ length: count }, (_, index) => index);
      const batches = batchesOf(servers, list);
      assert.deepEqual(batches.flat(), servers);
      assert.ok(batches.every(({ length }) => length > 0));
    }),
  );
});
