import assert from 'node:assert/strict';
import fc from 'fast-check';
import { memoryFiles } from '../../src/host/memory-files.ts';
import { analyze } from '../../src/validation/downtime/analyze.ts';
import { analyzeVantages } from '../../src/validation/downtime/analyze-vantages.ts';
import { type ClockSet, metSeconds, type Prober, probed } from './prober-log.ts';
import { type Course, course, downMs } from './up-and-down.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
/** Up before the first outage and after the last. */
const marginMs = 15_000;
const courseMs = { min: 30, max: 9000 };

/**
 * Outages of any length; what is up between two is longer than an interval and its jitter, so that a run of bad samples
 * is one outage.
 */
const anyCourse: fc.Arbitrary<Course> = fc
  .array(fc.tuple(fc.integer(courseMs), fc.integer({ min: 1200, max: 20_000 })), { minLength: 1, maxLength: 5 })
  .map((pairs) => course(START, [marginMs, ...pairs.flat().slice(0, -1), marginMs], false));

/** A step that the monitor notices, of a fraction of a second up to hours. */
const stepMs = fc
  .tuple(fc.oneof(fc.integer({ min: 260, max: 3000 }), fc.integer({ min: 260, max: 7_200_000 })), fc.boolean())
  .map(([ms, isBack]) => (isBack ? -ms : ms));
const moment = fc.integer({ min: 2000, max: 90_000 });
const inOrder = (steps: readonly ClockSet[]) => steps.toSorted((a, b) => a.afterMs - b.afterMs);
const anySteps = fc.array(fc.record({ afterMs: moment, ms: stepMs }), { maxLength: 3 }).map(inOrder);
/** Set back, and right again after a while. */
const backAndForth = fc
  .tuple(moment, fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 260, max: 7_200_000 }))
  .map(([afterMs, whileMs, ms]) => [
    { afterMs, ms: -ms },
    { afterMs: afterMs + whileMs, ms },
  ]);

const proberWith = (steps: fc.Arbitrary<readonly ClockSet[]>): fc.Arbitrary<Prober> =>
  fc.record({
    phaseMs: fc.nat(999),
    edgePhaseMs: fc.option(fc.nat(99), { nil: undefined }),
    jitterMs: fc.array(fc.nat(80), { minLength: 1, maxLength: 20 }),
    steps,
  });

/** Of any course, phase, jitter and clock that was set: lower ≤ true ≤ upper of what was seen. */
export const anyClock = fc.asyncProperty(anyCourse, proberWith(anySteps), async (real, prober) => {
  const { log, starts } = probed(real, prober);
  const { downtime, outages } = await analyze(await filesOf({ log }), 'log');
  const trueSeconds = metSeconds(real, starts);
  assertHolds(downtime, trueSeconds);
  assert.ok(Math.abs(downtime.seconds - trueSeconds) <= 1.08 * outages.length, `${downtime.seconds}, ${trueSeconds}`);
});

/** The same of two or three probers, whose clocks were set back and right again. */
export const severalClocks = fc.asyncProperty(
  anyCourse,
  fc.array(proberWith(fc.oneof(fc.constant([]), backAndForth)), { minLength: 2, maxLength: 3 }),
  async (real, probers) => {
    const all = probers.map((prober) => probed(real, prober));
    const names = all.map((_, index) => `${index}`);
    const files = await filesOf(Object.fromEntries(all.map(({ log }, index) => [`${index}`, log])));
    const logs = names.map((name) => ({ name, log: name, from: { files }, paths: [name] }));
    const { downtime } = await analyzeVantages(logs, 'any');
    const starts = all.flatMap((one) => one.starts);
    assertHolds(downtime, metSeconds(real, starts));
  },
);

/** A course, a prober and its clock by even chances: what was measured of it, and what was true, of all outages. */
export async function drawn(random: () => number): Promise<{ readonly seconds: number; readonly trueSeconds: number }> {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const lengths = Array.from({ length: between(1, 5) }, () => [between(30, 9000), between(1200, 20_000)]).flat();
  const real = course(START, [marginMs, ...lengths.slice(0, -1), marginMs], false);
  const stepsMs = [between(260, 90_000), -between(260, 90_000)].slice(0, between(0, 3));
  const { log } = probed(real, {
    phaseMs: between(0, 1000),
    jitterMs: Array.from({ length: 97 }, () => between(0, 80)),
    steps: inOrder(stepsMs.map((ms) => ({ afterMs: between(2000, 60_000), ms }))),
  });
  const { downtime } = await analyze(await filesOf({ log }), 'log');
  return { seconds: downtime.seconds, trueSeconds: downMs(real, real.from, real.to) / 1000 };
}

async function filesOf(texts: Readonly<Record<string, string>>) {
  const files = memoryFiles();
  for (const [path, text] of Object.entries(texts)) await files.replace(path, text);
  return files;
}

function assertHolds(
  { lowerSeconds, upperSeconds }: { readonly lowerSeconds: number; readonly upperSeconds: number },
  trueSeconds: number,
): void {
  assert.ok(lowerSeconds <= trueSeconds + 1e-9, `lower ${lowerSeconds}, true ${trueSeconds}`);
  assert.ok(trueSeconds <= upperSeconds + 1e-9, `true ${trueSeconds}, upper ${upperSeconds}`);
}
