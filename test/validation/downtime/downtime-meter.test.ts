import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Downtime, Outage } from '../../../src/validation/downtime/downtime.ts';
import { downtime, type Tick } from '../../../src/validation/downtime/downtime-meter.ts';
import type { OutageKind } from '../../../src/validation/downtime/outage-kind.ts';
import { sumSeconds } from '../../../src/validation/downtime/stretches.ts';

const START = Date.parse('2026-11-20T10:00:00.203Z');

/** One tick a second: `.` good, `x` 503, `s` slow, `t` timeout, `?` unknown, and a space for a tick without a line. */
function ticks(picture: string): readonly Tick[] {
  const kinds: Record<string, OutageKind> = { x: '503', s: 'slow', t: 'timeout' };
  return [...picture].flatMap((mark, second): Tick[] => {
    const at = START + second * 1000;
    if (mark === ' ') return [];
    if (mark === '?') return [{ at, unknownTicks: 1 }];
    const kind = kinds[mark];
    return [kind === undefined ? { at, millis: 12 } : { at, millis: 12, kind }];
  });
}

const measured = (
  picture: string,
  over: { readonly from?: number; readonly to?: number; readonly resolutionSeconds?: number } = {},
): Downtime => downtime(ticks(picture), { intervalSeconds: 1, ...over });
const bounds = ({ outages }: Pick<Downtime, 'outages'>) =>
  outages.map(({ lowerSeconds, seconds, upperSeconds }) => [lowerSeconds, seconds, upperSeconds]);
const atSecond = (second: number) => START + second * 1000;

test('an outage lasts from its first bad sample to the next good one, and its bounds follow from the samples', () => {
  const { outages, downtime: total } = measured('..xxx...x.');
  assert.deepEqual(outages[0], {
    from: '2026-11-20T10:00:02.203Z',
    to: '2026-11-20T10:00:05.203Z',
    seconds: 3,
    lowerSeconds: 2,
    upperSeconds: 4,
    samples: 3,
    kinds: ['503'],
  });
  assert.deepEqual(bounds({ outages })[1], [0, 1, 2]);
  assert.deepEqual(total, {
    seconds: 4,
    lowerSeconds: 0,
    upperSeconds: 10,
    slowSeconds: 0,
    samples: 10,
    bad: 4,
    unknown: 0,
    unknownSeconds: 0,
    partial: { spanSeconds: 7, lowerSeconds: 6, upperSeconds: 10, share: 0.571, shareLower: 0.25, shareUpper: 0.842 },
    span: { seconds: 7, lowerSeconds: 6, upperSeconds: 10 },
    share: { part: 0.571, lower: 0.25, upper: 0.842 },
  });
});

test('the window includes its first instant and not its last', () => {
  const within = (from: number, to: number) =>
    measured('.x.x.', { from: atSecond(from), to: atSecond(to) }).downtime.bad;
  assert.deepEqual([within(1, 3), within(1, 3.001), within(1.001, 3)], [1, 2, 0]);
});

test('sums are exact to the millisecond', () => {
  assert.equal(sumSeconds([8.031, 4.033]), 12.064);
});

test('an outage has each of its kinds once, in order, and slow seconds are also counted apart', () => {
  const { outages, downtime: total } = measured('.xssxt.');
  assert.deepEqual(outages[0]?.kinds, ['503', 'slow', 'timeout']);
  assert.equal(total.slowSeconds, 2);
  assert.equal(measured('.ss').downtime.slowSeconds, 2);
});

test('an unknown tick is neither up nor down: it widens the bounds of an outage', () => {
  assert.deepEqual(bounds(measured('.?xx?.')), [[1, 3, 5]]);
  assert.deepEqual(bounds(measured('.xx?xx.')), [[2, 5, 6]]);
  assert.deepEqual(bounds(measured('.xx xx.')), [[2, 5, 6]], 'the same without a line');
  assert.equal(measured('.x?x.').downtime.unknown, 1);
});

test('unknown ticks between good samples count as time that could hide an outage', () => {
  const { downtime: total } = measured('..???...    ..');
  assert.deepEqual([total.unknown, total.unknownSeconds, total.seconds], [7, 9, 0]);
});

test('an outage that is open at an end of the log is cut there and marked as open', () => {
  const { outages } = measured('xx..xx');
  assert.deepEqual(bounds(measured('xx..xx')), [
    [1, 2, 2],
    [1, 2, 3],
  ]);
  assert.deepEqual([outages[0]?.openAtStart, outages[0]?.openAtEnd], [true, undefined]);
  assert.deepEqual([outages[1]?.openAtStart, outages[1]?.openAtEnd], [undefined, true]);
});

test('samples outside a window do not count, and its edges bound the outages', () => {
  const within = (from: number, to: number) => measured('..xxxx....', { from: atSecond(from), to: atSecond(to) });
  assert.deepEqual(bounds(within(3.5, 9)), [[1, 2, 2.5]]);
  assert.deepEqual(bounds(within(0, 4.5)), [[2, 2.5, 3.5]]);
  assert.equal(within(6, 9).downtime.bad, 0);
});

test('the part of a window without samples is unknown', () => {
  const { downtime: total } = measured('   ..    ', { from: START, to: atSecond(9) });
  assert.deepEqual([total.samples, total.unknown], [2, 6]);
  const empty = measured('', { from: START, to: atSecond(60) });
  assert.deepEqual([empty.downtime.samples, empty.downtime.unknown, empty.downtime.unknownSeconds], [0, 59, 60]);
  assert.deepEqual(bounds(measured('.xx     ', { from: START, to: atSecond(8) })), [[1, 2, 8]]);
});

test('a good answer that waited for the end of a hang proves nothing before it came', () => {
  const hang = ticks('..tt...').map((tick) => (tick.at === atSecond(4) ? { ...tick, millis: 900 } : tick));
  assert.deepEqual(bounds(downtime(hang, { intervalSeconds: 1 })), [[1, 2, 3.9]]);
});

test('times in whole seconds widen the bounds by their resolution', () => {
  assert.deepEqual(bounds(measured('..xxx..', { resolutionSeconds: 1 })), [[1, 3, 5]]);
  assert.deepEqual(bounds(measured('..x..', { resolutionSeconds: 1 })), [[0, 1, 3]]);
});

/**
 * Lengths of alternating up and down times, each longer than an interval, so that a run of bad samples is one outage.
 */
const stretches = fc.array(fc.integer({ min: 1001, max: 9000 }), { minLength: 1, maxLength: 12 });

interface Truth {
  readonly downMs: (from: number, to: number) => number;
  readonly isDown: (at: number) => boolean;
  readonly endsAt: number;
}

function truth(lengths: readonly number[], startsDown: boolean): Truth {
  const downs: { readonly from: number; readonly to: number }[] = [];
  let at = START;
  for (const [i, length] of lengths.entries()) {
    if ((i % 2 === 0) === startsDown) downs.push({ from: at, to: at + length });
    at += length;
  }
  const overlapMs = (from: number, to: number) =>
    downs.map((down) => Math.max(0, Math.min(down.to, to) - Math.max(down.from, from)));
  return {
    downMs: (from, to) => overlapMs(from, to).reduce((sum, overlap) => sum + overlap, 0),
    isDown: (moment) => downs.some(({ from, to }) => moment >= from && moment < to),
    endsAt: at,
  };
}

type Fate = 'seen' | 'unknown' | 'silent';

/** The monitor's ticks: some are lost, either with a line in the log or without. */
function observed(real: Truth, phase: number, fates: Iterator<Fate>): readonly Tick[] {
  const count = Math.ceil((real.endsAt - START - phase) / 1000);
  return Array.from({ length: count }, (_, i) => START + phase + i * 1000).flatMap((at, i): Tick[] => {
    const fate: Fate = fates.next().value;
    // A missing tick at an edge of the window makes no gap.
    if (fate === 'silent' && i > 0 && i < count - 1) return [];
    if (fate !== 'seen') return [{ at, unknownTicks: 1 }];
    return [real.isDown(at) ? { at, millis: 12, kind: '503' } : { at, millis: 12 }];
  });
}

const isGood = (tick: Tick): boolean => tick.unknownTicks === undefined && tick.kind === undefined;

function assertBounds(outage: Outage, samples: readonly Tick[], real: Truth): void {
  const first = Date.parse(outage.from);
  const goodBefore = samples.findLast((tick) => tick.at < first && isGood(tick))?.at ?? START;
  const goodAfter = samples.find((tick) => tick.at > first && isGood(tick))?.at ?? real.endsAt;
  const trueSeconds = real.downMs(goodBefore, goodAfter) / 1000;
  assert.ok(outage.lowerSeconds <= trueSeconds, `lower ${outage.lowerSeconds} > ${trueSeconds}`);
  assert.ok(outage.upperSeconds >= trueSeconds, `upper ${outage.upperSeconds} < ${trueSeconds}`);
  assert.ok(outage.lowerSeconds <= outage.seconds && outage.seconds <= outage.upperSeconds);
}

const fates = fc.oneof(
  fc.constant(fc.constant('seen' as const)),
  fc.constant(
    fc.constantFrom('seen' as const, 'seen' as const, 'seen' as const, 'unknown' as const, 'silent' as const),
  ),
);

test('for any course of events and any phase: lower ≤ true ≤ upper, for each outage and for the sum', () => {
  const course = fates.chain((fate) => fc.tuple(stretches, fc.boolean(), fc.nat(999), fc.infiniteStream(fate)));
  fc.assert(
    fc.property(course, ([lengths, startsDown, phase, stream]) => {
      const real = truth(lengths, startsDown);
      const samples = observed(real, phase, stream);
      const { outages, downtime: total } = downtime(samples, { intervalSeconds: 1, from: START, to: real.endsAt });
      for (const outage of outages) assertBounds(outage, samples, real);
      const trueSeconds = real.downMs(START, real.endsAt) / 1000;
      assert.ok(total.lowerSeconds <= trueSeconds);
      assert.ok(trueSeconds <= total.upperSeconds + total.unknownSeconds);
    }),
    { numRuns: 500 },
  );
});

test('every sample is counted once, and no outage overlaps another', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('.', 'x', 's', 't', '?', ' ') }), (picture) => {
      const { outages, downtime: total } = measured(picture);
      const bad = [...picture].filter((mark) => 'xst'.includes(mark)).length;
      const good = [...picture].filter((mark) => mark === '.').length;
      assert.deepEqual([total.samples, total.bad], [good + bad, bad]);
      assert.equal(
        outages.reduce((sum, { samples }) => sum + samples, 0),
        bad,
      );
      for (const [i, { from }] of outages.slice(1).entries())
        assert.ok(Date.parse(from) >= Date.parse(outages[i]?.to ?? ''));
      assert.ok(total.slowSeconds <= total.seconds);
    }),
  );
});

test('a time in whole seconds is cut off: the sample of the second in which the window begins is inside', () => {
  const badAt = (at: number, from: number, resolutionSeconds: number) =>
    downtime([{ at: 1000 * at, kind: '503' }], { intervalSeconds: 1, resolutionSeconds, from: 1000 * from, to: 90_000 })
      .downtime.bad;
  assert.deepEqual([badAt(31, 31.059, 1), badAt(31, 31, 1), badAt(30, 31.059, 1), badAt(30, 31, 1)], [1, 1, 0, 0]);
  assert.deepEqual([badAt(31, 31.059, 0), badAt(31, 31, 0)], [0, 1]);
});
