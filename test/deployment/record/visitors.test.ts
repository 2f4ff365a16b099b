import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summary, type Visit } from '../../../src/deployment/record/visitors.ts';

/** A visit a second; `x` is bad. */
const visits = (answers: string): readonly Visit[] =>
  [...answers].map((answer, at) => ({
    at,
    good: answer !== 'x',
    seconds: answer === 's' ? 2 : 0.01,
    torn: answer === 't',
  }));

test('failed, slow and torn visits are counted', () => {
  assert.deepEqual(summary(visits('..s.t.x..'), 1), { requests: 9, failed: 1, slow: 1, torn: 1, longestGapSeconds: 2 });
});

test('the longest gap is between the good answers around bad ones', () => {
  assert.equal(summary(visits('.xx..xxx.'), 1).longestGapSeconds, 4);
  assert.equal(summary(visits('....'), 1).longestGapSeconds, 0);
  assert.equal(summary(visits('.xxx'), 1).longestGapSeconds, 3);
  assert.equal(summary(visits('xx.'), 1).longestGapSeconds, 2);
  assert.equal(summary([], 1).longestGapSeconds, 0);
});

test('a gap is never longer than all visits together, and is above 0 when one failed between two good ones', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('.', 'x'), { minLength: 1, maxLength: 30 }), (answers) => {
      const { longestGapSeconds } = summary(visits(answers.join('')), 1);
      assert.ok(longestGapSeconds <= answers.length - 1);
      if (/\.x+\./.test(answers.join(''))) assert.ok(longestGapSeconds >= 2);
    }),
  );
});
