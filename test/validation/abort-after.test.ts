import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from '../../src/host/host.ts';
import { downtimeLimit } from '../../src/validation/abort-after.ts';

/** One second after the other, `.` good and `x` bad; each takes 0.1 s. */
function played(limitSeconds: number | undefined, ticks: string, expected: Readonly<Record<number, number>> = {}) {
  const exceeded: string[] = [];
  const limit = downtimeLimit(limitSeconds, (because) => exceeded.push(because));
  [...ticks].forEach((tick, second) => {
    if (expected[second] !== undefined) limit.expect(expected[second]);
    const sample: Sample = { at: second * 1000, status: 200, seconds: 0.1, connection: 'new', phases: {} };
    limit.heard(sample, { url: 'http://a/' }, tick === 'x' ? '503' : undefined);
    limit.heard({ ...sample, connection: 'reused' }, { url: 'http://a/' }, '503');
    limit.heard(sample, { url: 'http://other/' }, '503');
  });
  return exceeded;
}

test('more downtime at a stretch than is allowed is told, once', () => {
  assert.deepEqual(played(5, '..xxxxxxxxxx'), ['5 s of downtime, of which 0 s were expected']);
  assert.deepEqual(played(5, 'xxxx.xxxx.xxxxx'), []);
  assert.deepEqual(played(undefined, 'x'.repeat(1000)), []);
});

test('what is expected of a scenario comes on top, while it lasts', () => {
  assert.deepEqual(played(5, `.${'x'.repeat(20)}`, { 1: 30 }), []);
  assert.deepEqual(played(5, `.${'x'.repeat(40)}`, { 1: 30 }), ['35 s of downtime, of which 30 s were expected']);
  assert.equal(played(5, `.${'x'.repeat(40)}`, { 1: 30, 10: 0 }).length, 1);
});
