import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clockWitness } from '../../../src/validation/monitor/clock-witness.ts';

/** What is told of lines whose clock is so far behind, each with its delay on the way. */
function told(behind: readonly number[], delays: readonly number[]): readonly number[] {
  const witness = clockWitness();
  return behind.flatMap((seconds, index) => witness(seconds + (delays[index % delays.length] ?? 0)) ?? []);
}
const lines = (count: number, behind: number) => Array.from({ length: count }, () => behind);
const delay = fc.array(fc.double({ min: 0, max: 0.24, noNaN: true }), { minLength: 1, maxLength: 20 });

test('a clock that runs as ours is never said to be set, whatever delays its lines', () => {
  const seldomLate = fc.array(fc.oneof(fc.double({ min: 0, max: 0.2, noNaN: true }), fc.constant(9)), { maxLength: 9 });
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), seldomLate, (behind, late) =>
      assert.deepEqual(told(lines(200, behind), [0.05, ...late]), []),
    ),
  );
});

test('a clock that was set ahead is told with its first line, one that was set back when the newest lines show it', () => {
  fc.assert(
    fc.property(delay, fc.double({ min: 0.8, max: 5, noNaN: true }), fc.boolean(), (delays, step, isAhead) => {
      const set = told([...lines(60, 0), ...lines(60, isAhead ? -step : step)], delays);
      assert.equal(set.length, 1, `${set}`);
      assert.ok(Math.abs((set[0] ?? 0) - (isAhead ? step : -step)) <= 0.25, `${set}`);
    }),
  );
  const witness = clockWitness();
  for (const behind of lines(30, 0.1)) assert.equal(witness(behind), undefined);
  assert.equal(witness(-0.9), 1);
});
