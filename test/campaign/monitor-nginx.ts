import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs } from '../support/needs.ts';
import {
  assertFound,
  type Disturbance,
  observeOutages,
  overlapping,
  type Plan,
  unexplained,
} from '../support/scripted-outages.ts';

/** Uneven lengths, up to more than the timeout, for each kind. */
const lengths = [2.31, 3.7, 12.2];
const kinds: readonly Disturbance[] = ['refused', '503', 'hang', 'dns'];
const plan: Plan = {
  intervalSeconds: 1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  quietSeconds: 8.3,
  outages: lengths.flatMap((seconds) => kinds.map((kind) => ({ kind, seconds }))),
};

test('some minutes at one probe a second on a real nginx, as in the specification', async (t) => {
  if (!needs(t, 'nginx') || !needs(t, 'curl')) return;
  const observed = await observeOutages(t, plan, []);
  if (observed === undefined) return;
  for (const outage of observed.caused) {
    const [found] = overlapping(observed.analysis, outage);
    const trueSeconds = (outage.ended[0] - outage.began[1]) / 1000;
    console.log(
      `${outage.kind}: true ${trueSeconds} s, ${found?.lowerSeconds} to ${found?.upperSeconds} s, ${found?.kinds}`,
    );
  }
  assertFound(observed);
  assert.deepEqual(unexplained(observed), []);
  assert.equal(observed.curlAnalysis.log.format, 'curl');
});
