import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptResults } from '../../../src/cli/runs/kept-results.ts';

test('the summary says what came of the probes on kept connections', () => {
  const kept = keptResults();
  const sample = { at: 0, status: 200, seconds: 0.01, phases: {} };
  kept.listener({ ...sample, connection: 'new' }, { url: 'http://a/' }, '503');
  assert.equal(kept.text(), '');
  kept.listener({ ...sample, connection: 'reused' }, { url: 'http://a/' }, undefined);
  assert.match(kept.text(), /^On kept connections none of 1 requests failed;/);
  for (const kind of ['reset', '503', 'reset'] as const)
    kept.listener({ ...sample, connection: 'reused' }, { url: 'http://a/' }, kind);
  assert.match(kept.text(), /^On kept connections 3 of 4 requests failed \(2 reset, 1 503\);/);
});
