import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackedCluster } from './attacked.ts';

const requests = 1500;
/** Always the same here; the campaign draws others. */
const seed = 178_841_417;

test('any request whatever gets an HTTP answer that is no fault of the server, and the cluster lives on', async (t) => {
  const attacked = await attackedCluster();
  t.after(() => attacked.close());
  const codes = await attacked.attack({ seed, requests });
  t.diagnostic(
    `seed ${seed}: ${[...codes]
      .toSorted()
      .map(([code, times]) => `${times} × ${code}`)
      .join(', ')}`,
  );
  assert.equal(
    [...codes.values()].reduce((sum, times) => sum + times, 0),
    requests,
  );
  await attacked.requireAlive();
});
