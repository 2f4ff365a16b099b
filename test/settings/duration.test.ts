import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDuration, parseDuration } from '../../src/settings/duration.ts';

test('a duration is written 500ms, 10s, 2m or 1h', () => {
  assert.deepEqual(
    ['500ms', '10s', '2m', '1h', '1h30m', '0s', '1.5s'].map(parseDuration),
    [0.5, 10, 120, 3600, 5400, 0, 1.5],
  );
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
