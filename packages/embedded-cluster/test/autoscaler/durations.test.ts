import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationSeconds } from '../../src/autoscaler/durations.ts';

test('a duration has hours, minutes and seconds; Never is infinite', () => {
  assert.deepEqual(['720h', '1h30m', '2m', '0s', 'Never'].map(durationSeconds), [
    2_592_000,
    5400,
    120,
    0,
    Number.POSITIVE_INFINITY,
  ]);
});
