import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './compare.ts';
import type { Step } from './steps.ts';

const steps = (...rows: [number, string][]): Step[] => rows.map(([at, what]) => ({ at, what }));
const recorded = steps([0, 'a'], [5, 'b'], [5.5, 'c']);
const found = (runs: readonly Step[][], isKnown = (_: { what: string }) => false) =>
  compare(recorded, runs, isKnown).differences.map(({ kind, what }) => `${kind} ${what}`);

test('a run is alike when each step comes in the recorded order; those within a second of one another in any', () => {
  assert.deepEqual(found([steps([0, 'a'], [5, 'c'], [5.2, 'b'])]), []);
  assert.deepEqual(found([steps([5, 'b'], [5.5, 'c'], [6, 'a'])]), ['order b', 'order c', 'delay a', 'delay b']);
});

test('a step that is missing or not recorded is a difference, unless another seed is alike', () => {
  const less = steps([0, 'a'], [1, 'x'], [5, 'b']);
  assert.deepEqual(found([less]), ['missing c', 'extra x']);
  assert.deepEqual(found([less, [...recorded]]), []);
});

test('a delay is alike when it is within the range of the seeds, and no step is measured from a known difference', () => {
  const at = (b: number): Step[] => steps([0, 'a'], [b, 'b'], [b + 0.5, 'c']);
  assert.deepEqual(found([at(2), at(9)]), []);
  assert.deepEqual(found([at(7), at(9)]), ['delay b']);
  const late = steps([0, 'a'], [9, 'b'], [5.5, 'c']);
  assert.ok(found([late]).includes('delay c'));
  assert.ok(!found([late], ({ what }) => what === 'b').includes('delay c'));
});
