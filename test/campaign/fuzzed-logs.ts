import { test } from 'node:test';
import fc from 'fast-check';
import { fuzzedLog, neverUpWithoutASample } from '../support/fuzzed-log.ts';

const numRuns = Number(process.env.LOGS ?? 100_000);

test(`of ${numRuns} logs none makes the analysis crash, and no unknown time counts as up`, async () => {
  await fc.assert(fc.asyncProperty(fuzzedLog, neverUpWithoutASample), { numRuns });
});
