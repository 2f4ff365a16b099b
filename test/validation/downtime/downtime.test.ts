import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, boundedText, boundsText, downtimeText } from '../../../src/validation/downtime/downtime.ts';
import { downtime } from '../../support/results.ts';

const threeBad = downtime({ samples: 5, bad: 3, seconds: 3, lowerSeconds: 2, upperSeconds: 4 });

test('downtime is given in seconds, or as not measured without a sample', () => {
  assert.deepEqual([downtimeText(threeBad), boundedText(threeBad)], ['3 s', '3 s (2 to 4 s)']);
  const unsampled = downtime({ samples: 0, unknown: 3, unknownSeconds: 3 });
  assert.deepEqual([downtimeText(unsampled), boundedText(unsampled)], ['not measured', 'not measured']);
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

test('people read tenths of a second', () => {
  assert.equal(boundsText({ lowerSeconds: 47.2, upperSeconds: 49.532 }), '47.2 to 49.5 s');
  assert.equal(downtimeText(downtime({ samples: 5, bad: 3, seconds: 2.792 })), '2.8 s');
});

test('what is not zero is not told as zero', () => {
  const short = downtime({ samples: 5, bad: 1, seconds: 0.02, upperSeconds: 0.04 });
  assert.deepEqual([downtimeText(short), boundedText(short)], ['< 0.1 s', '< 0.1 s (0 to < 0.1 s)']);
  assert.equal(downtimeText(downtime()), '0 s');
});

test('the part of a downtime in which answers came, slowly, is told', () => {
  const slow = { ...threeBad, slowSeconds: 1.26 };
  assert.deepEqual([downtimeText(slow), boundedText(slow)], ['3 s (slow 1.3 s)', '3 s (2 to 4 s) (slow 1.3 s)']);
});
