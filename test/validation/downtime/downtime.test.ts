import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, besideLimit, measuredText } from '../../../src/validation/downtime/downtime.ts';
import { downtime } from '../../support/results.ts';

const threeBad = downtime({ samples: 5, bad: 3, seconds: 3, lowerSeconds: 2, upperSeconds: 4 });

test('downtime is given in seconds, or as not measured without a sample', () => {
  assert.equal(measuredText(threeBad), '2.0–4.0 s of downtime');
  assert.equal(measuredText(downtime({ samples: 0, unknown: 3, unknownSeconds: 3 })), 'not measured');
});

test('at most X seconds is met by the upper bound, not met by the lower, and inconclusive in between', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((seconds) => atMost(threeBad, seconds)),
    ['not-met', 'inconclusive', 'inconclusive', 'met'],
  );
});

test('at most X seconds is inconclusive if unknown time could make it more, or without a sample', () => {
  assert.equal(atMost(downtime({ bad: 1, upperSeconds: 2, unknownSeconds: 8 }), 2), 'inconclusive');
  assert.equal(atMost(downtime({ unknown: 7, unknownSeconds: 8 }), 5), 'inconclusive');
  assert.equal(atMost(downtime({ samples: 0 }), 60), 'inconclusive');
});

test('beside a limit the bounds are told where the figure does not say on which side it is', () => {
  const about = (lowerSeconds: number, seconds: number, upperSeconds: number) =>
    downtime({ bad: 9, lowerSeconds, seconds, upperSeconds });
  assert.equal(besideLimit(about(47.2, 47.4, 49.532), 60), '47.4 s of downtime');
  assert.equal(besideLimit(about(58.9, 59.8, 61.2), 60), '59.8 s of downtime (58.9–61.2 s)');
  assert.equal(besideLimit(about(60.02, 60.03, 60.04), 60), '60.0 s of downtime (60.0–60.1 s)');
  assert.equal(besideLimit(about(62, 63, 64), 60), '63.0 s of downtime');
  assert.equal(besideLimit(about(40, 50, 61), 60), '40.0–61.0 s of downtime');
});
