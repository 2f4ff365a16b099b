import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from '../../../src/host/host.ts';
import { downtimeLimit } from '../../../src/validation/monitor/downtime-limit.ts';

/** One sample a second, `.` good and `x` bad; each takes 0.1 s. */
function played(limitSeconds: number | undefined, ticks: string, expected: Readonly<Record<number, number>> = {}) {
  const exceeded: string[] = [];
  const limit = downtimeLimit(limitSeconds, (because) => exceeded.push(because));
  [...ticks].forEach((tick, second) => {
    if (expected[second] !== undefined) limit.expect(expected[second]);
    const sample: Sample = { at: second * 1000, status: 200, seconds: 0.1, connection: 'new', phases: {} };
    limit.onProbe(sample, { url: 'http://a/' }, tick === 'x' ? '503' : undefined);
    limit.onProbe({ ...sample, connection: 'reused' }, { url: 'http://a/' }, '503');
    limit.onProbe(sample, { url: 'http://other/' }, '503');
  });
  return exceeded;
}

test('a stretch of downtime longer than allowed is reported once', () => {
  assert.deepEqual(played(5, '..xxxxxxxxxx'), ['5 s of downtime, of which 0 s were expected']);
  assert.deepEqual(played(5, 'xxxx.xxxx.xxxxx'), []);
  assert.deepEqual(played(undefined, 'x'.repeat(1000)), []);
});

test('expected downtime is added to the limit while it is expected', () => {
  assert.deepEqual(played(5, `.${'x'.repeat(20)}`, { 1: 30 }), []);
  assert.deepEqual(played(5, `.${'x'.repeat(40)}`, { 1: 30 }), ['35 s of downtime, of which 30 s were expected']);
  assert.equal(played(5, `.${'x'.repeat(40)}`, { 1: 30, 10: 0 }).length, 1);
});

/** Samples in the order of their ends: the start of each, its duration, and whether it was good. */
function heardInTurn(
  limitSeconds: number,
  ...samples: readonly (readonly [at: number, seconds: number, good?: 'good'])[]
) {
  const exceeded: string[] = [];
  const limit = downtimeLimit(limitSeconds, (because) => exceeded.push(because));
  for (const [at, seconds, good] of samples.toSorted((a, b) => a[0] + a[1] - b[0] - b[1]))
    limit.onProbe(
      { at: at * 1000, status: good ? 200 : 0, seconds, connection: 'new', phases: {} },
      { url: 'http://a/' },
      good ? undefined : 'timeout',
    );
  return exceeded;
}

test('one request that hangs between good ones is one second of downtime', () => {
  const good = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => [second, 0.01, 'good'] as const);
  assert.deepEqual(heardInTurn(5, [0, 10], ...good), []);
  assert.deepEqual(heardInTurn(0.5, [0, 10], ...good), ['1 s of downtime, of which 0 s were expected']);
});

test('a stretch of requests that hang ends where the next good one began, however late the samples come', () => {
  const hanging = [0, 1, 2, 3, 4, 5].map((second) => [second, 10] as const);
  const after = [6, 7, 8, 9, 10, 11, 12].map((second) => [second, 0.01, 'good'] as const);
  assert.deepEqual(heardInTurn(5, ...hanging, ...after), ['6 s of downtime, of which 0 s were expected']);
  assert.deepEqual(heardInTurn(7, ...hanging, ...after), []);
});

test('old samples are forgotten, but not those of a long stretch', () => {
  const bad = Array.from({ length: 2000 }, (_, second) => [second + 1000, 0.01] as const);
  assert.deepEqual(heardInTurn(1900, [0, 0.01, 'good'], [999, 0.01, 'good'], ...bad), [
    '1900 s of downtime, of which 0 s were expected',
  ]);
});
