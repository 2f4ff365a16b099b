import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackedCluster } from '../../packages/embedded-cluster/test/api-server/hostile/attacked.ts';

/** Each round has a cluster of its own, because the objects that the requests make stay. */
const rounds = 20;
const requests = 5000;
const mostGrownMiB = 6;
const warmUp = 1000;

for (let round = 0; round < rounds; round += 1)
  test(`${requests} hostile requests, round ${round + 1} of ${rounds}: each gets an answer, and the cluster lives on`, async (t) => {
    const attacked = await attackedCluster();
    t.after(() => attacked.close());
    const seed = (Date.now() + round * 7919) % 2 ** 31;
    // What is loaded and remembered at the first requests is no growth.
    await attacked.attack({ seed: seed - 1, requests: warmUp });
    const before = await attacked.restingHeapBytes();
    const codes = await attacked.attack({ seed, requests });
    const grownMiB = ((await attacked.restingHeapBytes()) - before) / 2 ** 20;
    t.diagnostic(`seed ${seed}; at rest the heap has grown by ${grownMiB.toFixed(1)} MiB`);
    // What they have made stays: a few dozen objects. Each answer that was kept would be 1.6 KiB more.
    assert.ok(grownMiB < mostGrownMiB, `${grownMiB} MiB`);
    assert.equal(
      [...codes.values()].reduce((sum, times) => sum + times, 0),
      requests,
    );
    await attacked.requireAlive();
  });
