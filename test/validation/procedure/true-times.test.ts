import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { truthAndBounds } from '../../support/true-seconds.ts';

test('on the embedded cluster, where the truth is known, pod-ready, node-ready and downtime seconds are between their bounds, and pod-ready is known to less than 1 s', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { podReady, nodeReady, downtime, span } = await truthAndBounds(t, seed, [scaleUp, singleReplica, nodeDrain]);
    assert.deepEqual([podReady.length, nodeReady.length > 0, downtime.length > 0], [3, true, true]);
    for (const one of [...podReady, ...nodeReady, ...downtime, ...span]) assert.ok(one.holds, JSON.stringify(one));
    for (const { bounds } of podReady) assert.ok(bounds.upperSeconds - bounds.lowerSeconds < 1, JSON.stringify(bounds));
  }
});
