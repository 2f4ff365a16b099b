import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chosenDuration, formatDuration, parseDuration, readableDuration } from '../../src/settings/duration.ts';

test('a duration is written 500ms, 10s, 2m or 1h', () => {
  assert.deepEqual(
    ['500ms', '10s', '2m', '1h', '1h30m', '0s', '1.5s'].map(parseDuration),
    [0.5, 10, 120, 3600, 5400, 0, 1.5],
  );
});

test('people read a duration in the units that fit it', () => {
  const seconds = [0, 0.0204, 0.9996, 4.25, 59.94, 59.96, 60, 125, 3599.6, 3600, 3725, 90_061];
  assert.deepEqual(seconds.map(readableDuration), [
    ...['0 ms', '20 ms', '1.0 s', '4.3 s', '59.9 s', '1 min', '1 min', '2 min 5 s', '1 h', '1 h', '1 h 2 min'],
    '25 h 1 min',
  ]);
});

test('any other text is not a duration', () => {
  for (const text of ['', '10', 's', '1 s', '-1s', '1d', '1S', '1s ', 'Never'])
    assert.equal(parseDuration(text), undefined, text);
});

test('a formatted duration parses to the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (milliseconds) => {
      assert.equal(parseDuration(formatDuration(milliseconds / 1000)), milliseconds / 1000);
    }),
  );
});

test('a duration that somebody has chosen has no decimals where it needs none', () => {
  assert.deepEqual([0, 3, 59, 0.5, 120, 90].map(chosenDuration), [
    '0 s',
    '3 s',
    '59 s',
    '500 ms',
    '2 min',
    '1 min 30 s',
  ]);
});
