import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs } from '../../support/needs.ts';
import { assertFound, observeOutages, overlapping, type Plan, unexplained } from '../../support/scripted-outages.ts';

const plan: Plan = {
  intervalSeconds: 0.2,
  timeoutSeconds: 1,
  slowSeconds: 0.5,
  quietSeconds: 1.7,
  outages: [
    { kind: 'refused', seconds: 1.37 },
    { kind: '503', seconds: 2.31 },
    { kind: 'hang', seconds: 3.19 },
    { kind: 'dns', seconds: 1.73 },
  ],
};

test('each outage of a real nginx is found, with its kind and bounds; a curl loop’s log of the same time shows it too', async (t) => {
  if (!needs(t, 'nginx') || !needs(t, 'curl')) return;
  const observed = await observeOutages(t, plan, ['+%FT%T.%3NZ', '-u']);
  if (observed === undefined) return;
  assertFound(observed);
  assert.deepEqual(unexplained(observed), []);
  assert.equal(observed.analysis.log.format, 'holdfast');
  assert.equal(observed.curlAnalysis.log.format, 'curl');
  for (const outage of observed.caused)
    assert.notDeepEqual(overlapping(observed.curlAnalysis, outage), [], `curl's ${outage.kind}`);
});
