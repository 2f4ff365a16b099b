import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { secondsUntilEarly } from '../../src/deployment/opcache/early-in-a-second.ts';

test('a reset begins when the first requests of its second have come and three tenths of it are left, and waits for no longer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (at) => {
      const seconds = secondsUntilEarly(at);
      assert.ok(seconds >= 0 && seconds < 0.351);
      const begins = (at + seconds * 1000) % 1000;
      assert.ok(begins >= 49.999 && begins <= 700.001, `${begins}`);
    }),
  );
});
