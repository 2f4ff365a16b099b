import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longest, secondsSince } from '../../../src/validation/measure/since.ts';
import { at, stamp } from '../../support/changes.ts';

test('seconds to a timestamp in whole seconds are never negative, and null without a timestamp', () => {
  assert.equal(secondsSince(at(1.5), stamp(4)), 2.5);
  assert.equal(secondsSince(at(4.7), stamp(4.9)), 0);
  assert.equal(secondsSince(at(1), undefined), null);
});

test('the longest known value is taken, and null of none', () => {
  assert.equal(longest([3, null, 5]), 5);
  assert.equal(longest([-3, null]), -3);
  assert.equal(longest([null]), null);
  assert.equal(longest([]), null);
});
