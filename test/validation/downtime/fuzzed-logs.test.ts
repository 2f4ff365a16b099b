import { test } from 'node:test';
import fc from 'fast-check';
import { fuzzedLog, neverUpWithoutASample } from '../../support/fuzzed-log.ts';

test('no log makes the analysis crash, and no unknown time counts as up', async () => {
  await fc.assert(fc.asyncProperty(fuzzedLog, neverUpWithoutASample), { numRuns: 300 });
});
