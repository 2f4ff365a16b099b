import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import fc from 'fast-check';
import { downtime } from '../../src/validation/downtime/downtime-meter.ts';
import { anyClock, drawn, severalClocks } from '../support/set-clocks.ts';
import { course, inOrder, samplesOf } from '../support/up-and-down.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const cases = 10_000;

/** One outage of that length in a minute, at any phase: what was measured of each that was seen. */
function measured(downMs: number, edges: boolean, jitterMs: number) {
  const random = randomStreams(`${downMs} ${edges} ${jitterMs}`)('cases');
  const late = () => random() * jitterMs;
  return Array.from({ length: cases }, () => {
    const real = course(START, [20_000 + Math.floor(random() * 1000), downMs, 20_000], false);
    const every = samplesOf(real, { everyMs: 1000, phaseMs: random() * 1000, jitterMs: late });
    const between = edges ? samplesOf(real, { everyMs: 100, phaseMs: random() * 100, jitterMs: late, edge: true }) : [];
    return downtime(inOrder(every, between), { intervalSeconds: 1, from: START, to: real.to }).downtime;
  });
}

for (const downMs of [230, 450, 500, 1340, 3770, 12_250])
  for (const edges of [false, true])
    test(`${cases} outages of ${downMs} ms ${edges ? 'with' : 'without'} edges: unbiased, within bounds, and seen as often as the text says`, (t) => {
      const all = measured(downMs, edges, 0);
      const trueSeconds = downMs / 1000;
      const seen = all.filter(({ upperSeconds }) => upperSeconds > 0);
      for (const { lowerSeconds, upperSeconds } of seen)
        assert.ok(lowerSeconds <= trueSeconds && trueSeconds <= upperSeconds);
      const mean = all.reduce((sum, { seconds }) => sum + seconds, 0) / cases;
      // One that was not seen counts with its whole length; one that was, with an interval at least.
      const error = all.reduce((sum, { seconds }) => sum + Math.abs(seconds - trueSeconds), 0) / cases;
      t.diagnostic(`mean ${mean.toFixed(3)} s, mean error ${error.toFixed(3)} s, seen ${seen.length}`);
      // Three standard errors: one outage is off by half an interval at most.
      assert.ok(Math.abs(mean - trueSeconds) <= (3 * 0.5) / Math.sqrt(cases), `mean ${mean}`);
      const chance = Math.min(1, downMs / (edges ? 100 : 1000));
      assert.ok(Math.abs(seen.length / cases - chance) <= (3 * 0.5) / Math.sqrt(cases), `seen ${seen.length}`);
      // 2 r (1 − r) of an interval, r being what is left of the length after whole intervals: half of one at most.
      assert.ok(error <= (edges ? 0.06 : 0.51), `mean error ${error}`);
    });

test(`${cases} outages with jitter are within their bounds too`, () => {
  for (const { lowerSeconds, upperSeconds } of measured(3700, true, 80))
    assert.ok(lowerSeconds <= 3.7 && 3.7 <= upperSeconds);
});

test(`${cases} courses of any length, with clocks that are set, by one prober and by several, are within their bounds`, async () => {
  await fc.assert(anyClock, { numRuns: cases });
  await fc.assert(severalClocks, { numRuns: cases });
});

test(`of ${cases} courses with jitter and clocks that are set the estimate is unbiased, outages that nobody saw included`, async (t) => {
  const random = randomStreams('courses')('cases');
  const errors: number[] = [];
  for (let index = 0; index < cases; index += 1) {
    const { seconds, trueSeconds } = await drawn(random);
    errors.push(seconds - trueSeconds);
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / cases;
  const deviation = Math.sqrt(errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / cases);
  t.diagnostic(`mean error ${mean.toFixed(4)} s, deviation ${deviation.toFixed(2)} s`);
  // Three standard errors; of four outages at most half an interval each.
  assert.ok(deviation < 1 && Math.abs(mean) <= (3 * deviation) / Math.sqrt(cases), `mean error ${mean}`);
});
