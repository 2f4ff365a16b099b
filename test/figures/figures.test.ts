import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Bounded,
  boundedText,
  boundsText,
  chosenDuration,
  downtimeCell,
  downtimeText,
  readableDuration,
  secondsText,
  shareText,
} from '../../src/figures/figures.js';

const bounded = (lowerSeconds: number, seconds: number, upperSeconds: number): Bounded => ({
  seconds,
  lowerSeconds,
  upperSeconds,
});

test('what is not zero is not told as zero', () => {
  assert.deepEqual([0, 0.02, 3.24].map(secondsText), ['0.0 s', '< 0.1 s', '3.2 s']);
  assert.equal(boundedText(bounded(0, 0, 0.04)), '< 0.1 s');
  assert.equal(boundedText(bounded(0, 0, 0)), '0.0 s');
});

test('bounds are told where they are wider than a tenth of a second and of the number', () => {
  assert.equal(boundedText(bounded(1.35, 1.4, 1.45)), '1.4 s');
  assert.equal(boundedText(bounded(0.9, 1.4, 1.6)), '0.9–1.6 s');
  assert.equal(boundedText(bounded(47.2, 47.4, 49.532)), '47.4 s');
  assert.equal(boundedText(bounded(7.2, 21.68, 49.532)), '7.2–49.6 s');
});

test('bounds are rounded outward, and not by a fraction that no clock has', () => {
  assert.equal(boundsText({ lowerSeconds: 59.96, upperSeconds: 60.04 }), '59.9–60.1 s');
  assert.equal(boundsText({ lowerSeconds: 0.1 + 0.2, upperSeconds: 3 * 0.1 }), '0.3–0.3 s');
  assert.equal(boundsText({ lowerSeconds: 60, upperSeconds: 61 }), '60.0–61.0 s');
});

test('a share is a number, or its interval where that is wider than a fifth, and neither none nor all', () => {
  assert.equal(shareText({ part: 0.463, lower: 0.43, upper: 0.5 }), '46 %');
  assert.equal(shareText({ part: 0.333, lower: 0.233, upper: 0.433 }), '33 %');
  assert.equal(shareText({ part: 0.667, lower: 0.208, upper: 0.939 }), '20–94 %');
  assert.deepEqual(
    [0.001, 0.999].map((part) => shareText({ part, lower: part, upper: part })),
    ['1 %', '99 %'],
  );
});

test('downtime is reported by its span, and the share of the requests where it is not all', () => {
  const span = bounded(47.2, 47.4, 49.532);
  const share = { part: 0.463, lower: 0.43, upper: 0.5 };
  assert.equal(downtimeCell({ span }), '47.4 s');
  assert.equal(downtimeCell({ span, share }), '47.4 s, 46 % of requests');
  assert.equal(downtimeText({ span, share }), '47.4 s of downtime, 46 % of requests');
  assert.equal(downtimeText({ span: bounded(0, 0, 0) }), 'no downtime');
});

test('downtime in which every answer came, slowly, is reported as that', () => {
  const span = bounded(9.9, 10, 10);
  assert.equal(downtimeCell({ span, seconds: 10, slowSeconds: 10 }), '10.0 s, slow answers');
  assert.equal(downtimeCell({ span, seconds: 10, slowSeconds: 9 }), '10.0 s');
  assert.equal(downtimeCell({ span: bounded(0, 0, 0), seconds: 0, slowSeconds: 0 }), '0.0 s');
});

test('people read a duration in the units that fit it', () => {
  const seconds = [0, 0.0204, 0.9996, 4.25, 59.94, 59.96, 60, 125, 3599.6, 3600, 3725, 90_061, 273_600];
  assert.deepEqual(seconds.map(readableDuration), [
    ...['0 ms', '20 ms', '1.0 s', '4.3 s', '59.9 s', '1 min', '1 min', '2 min 5 s', '1 h', '1 h', '1 h 2 min'],
    ...['25 h 1 min', '3 d 4 h'],
  ]);
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
