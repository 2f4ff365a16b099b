import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clockWitness } from '../../../src/validation/monitor/clock-witness.ts';

/** What is told of lines whose clock is so far behind, each with its delay on the way. */
function told(behind: readonly number[], delays: readonly number[], resolution = 0): readonly number[] {
  const witness = clockWitness();
  const late = (index: number) => delays[index % delays.length] ?? 0;
  return behind.flatMap((seconds, index) => witness.line(seconds + late(index), resolution) ?? []);
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

test('a clock that was set ahead is reported with its first line, one that was set back when the newest lines show it', () => {
  fc.assert(
    fc.property(delay, fc.double({ min: 0.8, max: 5, noNaN: true }), fc.boolean(), (delays, step, isAhead) => {
      const set = told([...lines(60, 0), ...lines(60, isAhead ? -step : step)], delays);
      assert.equal(set.length, 1, `${set}`);
      assert.ok(Math.abs((set[0] ?? 0) - (isAhead ? step : -step)) <= 0.25, `${set}`);
    }),
  );
  const witness = clockWitness();
  for (const behind of lines(30, 0.1)) assert.equal(witness.line(behind, 0), undefined);
  assert.equal(witness.line(-0.9, 0), 1);
});

test('a clock whose times are whole seconds is reported as set only where the step is larger than their rounding', () => {
  // A loop of probes drifts through the second, so that its times are cut off by more and more.
  const drifting = fc.double({ min: 0, max: 0.1, noNaN: true });
  const cutOff = (count: number, behind: number, drift: number) =>
    lines(count, behind).map((one, index) => one + ((index * drift) % 1));
  fc.assert(
    fc.property(delay, drifting, fc.constantFrom(0, -3, 3, -60, 900), (delays, drift, step) => {
      const set = told([...cutOff(60, 0, drift), ...cutOff(60, -step, drift)], delays, 1);
      assert.equal(set.length, step === 0 ? 0 : 1, `${set}`);
      assert.ok(Math.abs((set[0] ?? 0) - step) <= 1.75, `${set}`);
    }),
  );
});

test('a step that the log itself tells is not told again by its lines', () => {
  fc.assert(
    fc.property(delay, fc.double({ min: -5, max: 5, noNaN: true }), (delays, step) => {
      const witness = clockWitness();
      const late = (index: number) => delays[index % delays.length] ?? 0;
      for (const [index, behind] of lines(60, 0).entries())
        assert.equal(witness.line(behind + late(index), 0), undefined);
      witness.told(step);
      for (const [index, behind] of lines(60, -step).entries())
        assert.equal(witness.line(behind + late(index), 0), undefined);
    }),
  );
});
