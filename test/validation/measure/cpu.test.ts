import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadResult } from '../../../src/host/host.ts';
import { measureCpu } from '../../../src/validation/measure/cpu.ts';
import type { Observed, PodCpu } from '../../../src/validation/observe/observation.ts';
import { at } from '../../support/changes.ts';

/** A load from 100 s to 104 s. */
const load = { startedAt: at(100), seconds: 4 } as LoadResult;
const seen = (
  seconds: number,
  ...pods: readonly [millicores: number, limit?: number][]
): Observed & { at: string } => ({
  ...{ type: 'cpu-seen', at: '', measuredAt: at(seconds) },
  pods: pods.map(
    ([millicores, limit], index): PodCpu => ({ name: `p${index}`, millicores, limitMillicores: limit ?? null }),
  ),
});

test('the busiest pod before, its peak, its share of its own limit, and when it was calm again', () => {
  const facts = [
    seen(85, [3, 250], [5, 250]),
    seen(115, [120, 250], [90, 100]),
    seen(130, [40, 250], [5, 100]),
    seen(145, [4, 250], [4, 100]),
  ];
  assert.deepEqual(measureCpu(facts, load), { baseline: 5, peak: 120, peakOfLimit: 0.9, calmSeconds: 41 });
});

test('near is within 20 %, or within what the monitor’s own requests make', () => {
  const calmAt = (baseline: number, after: number) => {
    const measured = measureCpu([seen(90, [baseline]), seen(110, [after])], load);
    return 'calmSeconds' in measured && measured.calmSeconds;
  };
  assert.equal(calmAt(100, 120), 6);
  assert.equal(calmAt(100, 121), null);
  assert.equal(calmAt(1, 11), 6);
  assert.equal(calmAt(1, 12), null);
});

test('a measurement from the middle of the load is no sign of calm', () => {
  const measured = measureCpu([seen(90, [100]), seen(102, [100]), seen(120, [400])], load);
  assert.deepEqual('calmSeconds' in measured && measured.calmSeconds, null);
});

test('without a limit there is no share of it', () => {
  const measured = measureCpu([seen(90, [5]), seen(115, [500])], load);
  assert.equal('peakOfLimit' in measured && measured.peakOfLimit, null);
});

test('nothing before, or nothing after, is nothing known, and says why', () => {
  assert.deepEqual(measureCpu([{ at: '', type: 'cpu-not-measured', because: '404 NotFound' }], load), {
    because: '404 NotFound',
  });
  assert.ok('because' in measureCpu([seen(115, [5])], load));
  assert.ok('because' in measureCpu([seen(90, [5])], load));
});
