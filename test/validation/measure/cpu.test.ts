import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadResult } from '../../../src/host/host.ts';
import { measureCpu } from '../../../src/validation/measure/cpu.ts';
import type { Observed, PodCpu } from '../../../src/validation/record/observed.ts';
import { at } from '../../support/changes.ts';

/** A load from 100 s to 104 s. */
const load = { startedAt: at(100), seconds: 4 } as LoadResult;
const seen = (
  seconds: number,
  ...pods: readonly [millicores: number, limit?: number][]
): Observed & { at: string } => ({
  type: 'cpu-seen',
  at: '',
  measuredAt: at(seconds),
  pods: pods.map(
    ([millicores, limit], index): PodCpu => ({ name: `p${index}`, millicores, limitMillicores: limit ?? null }),
  ),
});

test('CPU is measured as the busiest pod’s baseline, its peak, the peak’s share of its limit, and the time until it was calm', () => {
  const facts = [
    seen(85, [3, 250], [5, 250]),
    seen(115, [120, 250], [90, 100]),
    seen(130, [40, 250], [5, 100]),
    seen(145, [4, 250], [4, 100]),
  ];
  assert.deepEqual(measureCpu(facts, load), { baseline: 5, peak: 120, peakOfLimit: 0.9, calmSeconds: 41 });
});

test('near the baseline means within 20 %, or within 10 millicores', () => {
  const calmAt = (baseline: number, after: number) => {
    const measured = measureCpu([seen(90, [baseline]), seen(110, [after]), seen(140, [1000])], load);
    return 'calmSeconds' in measured && measured.calmSeconds;
  };
  assert.equal(calmAt(100, 120), 6);
  assert.equal(calmAt(100, 121), null);
  assert.equal(calmAt(1, 11), 6);
  assert.equal(calmAt(1, 12), null);
});

test('a measurement during the load does not show calm', () => {
  const measured = measureCpu([seen(90, [100]), seen(102, [100]), seen(140, [400])], load);
  assert.deepEqual('calmSeconds' in measured && measured.calmSeconds, null);
});

test('the share of the limit is null without a limit', () => {
  const measured = measureCpu([seen(90, [5]), seen(140, [500])], load);
  assert.equal('peakOfLimit' in measured && measured.peakOfLimit, null);
});

test('without a measurement before or after the load the CPU is unknown, with the reason', () => {
  assert.deepEqual(measureCpu([{ at: '', type: 'cpu-not-measured', because: '404 NotFound' }], load), {
    because: '404 NotFound',
  });
  const unknown = { because: 'metrics.k8s.io had no usage of the pods from before and after the load' };
  assert.deepEqual(measureCpu([seen(115, [5])], load), unknown);
  assert.deepEqual(measureCpu([seen(90, [5])], load), unknown);
});

/**
 * A healthy pod: 1500m during the load of 4 s, else 5m, as a metrics API shows it that averages over `window` s and
 * measures every `step` s.
 */
function averaged(window: number, step: number, offset = 0) {
  const looks = Array.from({ length: 40 }, (_, index) => -20 + offset + index * step).filter((second) => second < 194);
  return looks.map((second) => {
    const busy = Math.max(0, Math.min(104, second) - Math.max(100, second - window));
    return { ...seen(second, [5 + (1500 * busy) / window]), windowSeconds: window };
  });
}

test('metrics that are too coarse to show calm within a minute are unknown, with the reason', () => {
  for (const offset of [0, 4, 9, 14]) {
    const fine = measureCpu(averaged(15, 15, offset), load);
    assert.ok('calmSeconds' in fine && (fine.calmSeconds ?? 99) <= 60);
  }
  assert.ok('calmSeconds' in measureCpu(averaged(30, 30, 29), load), 'the coarsest that shows it');
  assert.match(JSON.stringify(measureCpu(averaged(60, 60, 50), load)), /averages over 60 s/);
  assert.match(JSON.stringify(measureCpu(averaged(300, 30, 4), load)), /averages over 300 s/);
  const seldom = measureCpu([seen(40, [5]), seen(103, [900]), seen(166, [5])], load);
  assert.match(JSON.stringify(seldom), /nothing from 30 to 60 s after the load/);
});

test('a pod that was measured in time and not calm is not calm, even if it is calm later', () => {
  const calmAfter = (looked: number) => {
    const measured = measureCpu([seen(90, [5]), seen(looked, [900]), seen(170, [5])], load);
    return 'calmSeconds' in measured ? measured.calmSeconds : undefined;
  };
  assert.deepEqual([133, 134, 164, 165].map(calmAfter), [undefined, 66, 66, undefined]);
  const inTime = measureCpu([seen(90, [5]), seen(110, [5]), seen(170, [5])], load);
  assert.equal('calmSeconds' in inTime && inTime.calmSeconds, 6, 'one measurement in time is enough');
});
