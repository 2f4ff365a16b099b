import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { secondsUntilEarly } from '../../src/deployment/opcache/early-in-a-second.ts';

test('a reset begins with at least three tenths of its second left, and waits for no longer than that', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (at) => {
      const seconds = secondsUntilEarly(at);
      assert.ok(seconds >= 0 && seconds < 0.3);
      const begins = (at + seconds * 1000) % 1000;
      assert.ok(begins <= 700.001 || begins > 999.999, `${begins}`);
    }),
  );
});
