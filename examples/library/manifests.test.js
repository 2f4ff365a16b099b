// A test of your own manifests, for `node --test`: no cluster, a few seconds.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { rehearse } from 'holdfast';

const files = [join(import.meta.dirname, 'k8s')];

test('visitors notice neither a drain nor a scale down, and the loss of a zone for less than a minute', async () => {
  const run = await rehearse({
    files,
    scenarios: ['scale-down', 'node-drain', 'zone-failure'],
    assumptions: false,
  });
  const failed = [...run.scenarios, ...(run.furtherScenarios ?? [])].filter(({ verdict }) => verdict === 'fail');
  assert.equal(run.verdict, 'pass', JSON.stringify(failed, null, 2));
});
