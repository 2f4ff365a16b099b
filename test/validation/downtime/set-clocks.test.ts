import { test } from 'node:test';
import fc from 'fast-check';
import { anyClock, severalClocks } from '../../support/set-clocks.ts';

test('for any course, phase, jitter and clock that is set: lower ≤ true ≤ upper of what was seen', async () => {
  await fc.assert(anyClock, { numRuns: 400 });
});

test('so it is of several probers whose clocks are set back and right again', async () => {
  await fc.assert(severalClocks, { numRuns: 150 });
});
