import assert from 'node:assert/strict';
import { test } from 'node:test';

// JavaScript of the page, which has no types here.
const page = new URL('../../src/dashboard/page/moments.js', import.meta.url).href;
const { bounds, seconds, slowPart } = await import(page);

test('the page tells the slow part of a downtime, and what is not zero not as zero', () => {
  assert.deepEqual([0, 0.02, 3.24].map(seconds), ['0.0 s', '< 0.1 s', '3.2 s']);
  assert.deepEqual(
    [0, 0.02, 1.06].map((slowSeconds) => slowPart({ slowSeconds })),
    ['', ' (slow < 0.1 s)', ' (slow 1.1 s)'],
  );
  assert.equal(bounds({ lowerSeconds: 0, upperSeconds: 0.04 }), '0.0 s to < 0.1 s');
});
