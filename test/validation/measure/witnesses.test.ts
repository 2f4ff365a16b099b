import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundedText } from '../../../src/figures/figures.js';
import { happened, known, longestOf, secondsBetween } from '../../../src/validation/measure/witnesses.ts';

const TEN = Date.parse('2026-11-20T10:00:00Z');
const sure = { offsetSeconds: 0, uncertaintySeconds: 0 };
const stampOf = (at: number) => `${new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19)}Z`;

test('a change was in the second that the API gives, after its request and before the watch brought it', () => {
  const moment = happened({
    timestamp: stampOf(TEN + 4000),
    arrivedAt: TEN + 4300,
    notBefore: TEN + 3200,
    clock: sure,
  });
  assert.deepEqual(moment, { from: TEN + 4000, to: TEN + 4300, at: TEN + 4300 });
  const early = happened({ timestamp: stampOf(TEN + 3000), arrivedAt: TEN + 3400, notBefore: TEN + 3200, clock: sure });
  assert.deepEqual(early, { from: TEN + 3200, to: TEN + 3400, at: TEN + 3400 });
});

test('a pod that was ready in the second of its request was not ready after 0 s', () => {
  const moment = happened({ timestamp: stampOf(TEN), arrivedAt: TEN + 900, notBefore: TEN + 200, clock: sure });
  assert.ok(moment);
  assert.deepEqual(secondsBetween(known(TEN + 200), moment), { seconds: 0.7, lowerSeconds: 0, upperSeconds: 0.7 });
  assert.equal(boundedText(secondsBetween(known(TEN + 200), moment)), '0.0–0.7 s');
});

test('for any moment, offset, delay of the watch and request: the truth is between the bounds, and without doubt', () => {
  const case_ = fc.record({
    requested: fc.nat(5000),
    after: fc.nat(120_000),
    offsetMs: fc.integer({ min: -900, max: 900 }),
    wrongBy: fc.integer({ min: -40, max: 40 }),
    delay: fc.nat(900),
  });
  fc.assert(
    fc.property(case_, ({ requested, after, offsetMs, wrongBy, delay }) => {
      const notBefore = TEN + requested;
      const trueAt = notBefore + after;
      const clock = { offsetSeconds: (offsetMs + wrongBy) / 1000, uncertaintySeconds: 0.04 };
      const moment = happened({
        timestamp: stampOf(trueAt + offsetMs),
        arrivedAt: trueAt + delay,
        notBefore,
        clock,
      });
      assert.ok(moment);
      assert.ok(moment.from <= trueAt + 0.001 && trueAt <= moment.to + 0.001, JSON.stringify(moment));
      assert.equal(moment.doubt, undefined);
      const { seconds, lowerSeconds, upperSeconds } = secondsBetween(known(notBefore), moment);
      assert.ok(lowerSeconds <= seconds && seconds <= upperSeconds);
      assert.ok(upperSeconds - lowerSeconds <= 1.082);
    }),
    { numRuns: 500 },
  );
});

test('a clock that was set makes the witnesses contradict each other: our own clock counts, and it is reported', () => {
  const clock = sure;
  const ahead = happened({ timestamp: stampOf(TEN + 9000), arrivedAt: TEN + 4300, notBefore: TEN + 1000, clock });
  assert.deepEqual([ahead?.from, ahead?.to], [TEN + 1000, TEN + 4300]);
  assert.match(ahead?.doubt ?? '', /the API says 2026-11-20T10:00:09Z, 4\.7 s apart from what this machine saw/);
  const behind = happened({ timestamp: stampOf(TEN - 4000), arrivedAt: TEN + 4300, notBefore: TEN + 1000, clock });
  assert.match(behind?.doubt ?? '', /4\.0 s apart/);
});

test('a watch that brought the change late is reported, and leaves the second of the API', () => {
  const late = happened({ timestamp: stampOf(TEN + 4000), arrivedAt: TEN + 9000, notBefore: TEN, clock: sure });
  assert.deepEqual([late?.from, late?.to, late?.at], [TEN + 4000, TEN + 5000, TEN + 4500]);
  assert.equal(late?.doubt, 'the watch brought it 4.0 s late');
});

test('one witness alone bounds it too, and without any there is nothing', () => {
  assert.deepEqual(happened({ timestamp: undefined, arrivedAt: TEN + 700, notBefore: TEN, clock: sure }), {
    from: TEN,
    to: TEN + 700,
    at: TEN + 700,
  });
  const alone = happened({ timestamp: stampOf(TEN), arrivedAt: undefined, notBefore: TEN, clock: sure });
  assert.deepEqual([alone?.from, alone?.to], [TEN, TEN + 1000]);
  assert.equal(happened({ timestamp: undefined, arrivedAt: undefined, notBefore: TEN, clock: sure }), undefined);
});

test('the longest of several has the longest bounds, and of none there is none', () => {
  const one = { seconds: 3, lowerSeconds: 2, upperSeconds: 3 };
  const other = { seconds: 2.5, lowerSeconds: 2.4, upperSeconds: 3.4 };
  assert.deepEqual(longestOf([one, other]), { seconds: 3, lowerSeconds: 2.4, upperSeconds: 3.4 });
  assert.equal(longestOf([]), null);
});
