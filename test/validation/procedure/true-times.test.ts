import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { podReadyHoldsTruth } from '../../support/true-seconds.ts';

test('on the embedded cluster, where the truth is known, the pod-ready times are between their bounds, which are narrower than 1 s', async (t) => {
  for (const seed of [1, 2]) {
    const widths = await podReadyHoldsTruth(t, seed, [scaleUp, singleReplica, nodeDrain]);
    assert.equal(widths.length, 3);
    assert.ok(
      widths.every((seconds) => seconds < 1),
      `seed ${seed}: ${widths}`,
    );
  }
});
