import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, boundedText } from '../../../src/validation/downtime/downtime.ts';
import { downtime } from '../../../src/validation/downtime/downtime-meter.ts';

/** A sample a second: `b` bad, `g` good. */
const measured = (letters: string) =>
  downtime(
    [...letters].map((letter, index) => ({
      at: index * 1000,
      ...(letter === 'b' ? { kind: 'timeout' as const } : {}),
    })),
    { intervalSeconds: 1, from: 0, to: letters.length * 1000 },
  ).downtime;

const quiet = 'g'.repeat(30);

test('an outage of a part of the requests has a span with bounds, and a share', () => {
  const { partial, seconds, lowerSeconds, upperSeconds } = measured(`${quiet}bgbbggbgggb${quiet}`);
  assert.deepEqual(partial, {
    spanSeconds: 11,
    lowerSeconds: 10,
    upperSeconds: 20,
    share: 0.455,
    shareLower: 0.213,
    shareUpper: 0.72,
  });
  assert.deepEqual([seconds, lowerSeconds, upperSeconds], [5, 0, 20], 'at most the span');
  assert.match(
    boundedText(measured(`${quiet}bgb${quiet}`)),
    /^2 s \(0 to 8 s\), 67 % \(21 to 94 %\) of the requests in 3 s \(2 to 8 s\)$/,
  );
});

test('where every request fails, and where outages are ten good samples apart, there is no part', () => {
  assert.equal(measured(`${quiet}bbbbb${quiet}`).partial, undefined);
  assert.equal(measured(quiet).partial, undefined);
  assert.equal(measured(`${quiet}bbb${'g'.repeat(10)}bbb${quiet}`).partial, undefined);
  assert.equal(measured(`${quiet}bbb${'g'.repeat(9)}bbb${quiet}`).partial?.spanSeconds, 15);
});

test('at most 60 seconds is decided by the span: traffic is whole again only at its end', () => {
  const halfOf = (seconds: number) => measured(`${quiet}${'bg'.repeat(seconds / 2)}${quiet}`);
  assert.equal(atMost(halfOf(50), 60), 'met');
  assert.equal(atMost(halfOf(52), 60), 'met');
  assert.equal(atMost(halfOf(54), 60), 'inconclusive', 'four good samples at either end may be in it');
  assert.equal(atMost(halfOf(100), 60), 'not-met');
  assert.equal(halfOf(100).lowerSeconds, 0, 'by the outages alone nothing would be known');
});
