import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atMost, type Downtime, downtime, type Tick } from '../../src/validation/downtime.ts';
import type { OutageKind } from '../../src/validation/outage-kind.ts';

const START = Date.parse('2026-11-20T10:00:00.203Z');

/** One tick a second: `.` good, `x` 503, `s` slow, `t` timeout, `?` unknown, and a space for one that the log says nothing of. */
function ticks(picture: string): readonly Tick[] {
  const kinds: Record<string, OutageKind> = { x: '503', s: 'slow', t: 'timeout' };
  return [...picture].flatMap((mark, second): Tick[] => {
    const at = START + second * 1000;
    if (mark === ' ') return [];
    if (mark === '?') return [{ at, unknownTicks: 1 }];
    const kind = kinds[mark];
    return [kind === undefined ? { at } : { at, kind }];
  });
}

const measured = (
  picture: string,
  over: { readonly from?: number; readonly to?: number; readonly resolutionSeconds?: number } = {},
): Downtime => downtime(ticks(picture), { intervalSeconds: 1, ...over });
const bounds = ({ outages }: Downtime) =>
  outages.map(({ lowerSeconds, seconds, upperSeconds }) => [lowerSeconds, seconds, upperSeconds]);
const atSecond = (second: number) => START + second * 1000;

test('an outage lasts from its first bad sample to the next good one, and its bounds are what the samples prove', () => {
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
  assert.deepEqual(bounds({ outages, downtime: total })[1], [0, 1, 2]);
  assert.deepEqual(total, {
    seconds: 4,
    lowerSeconds: 2,
    upperSeconds: 6,
    slowSeconds: 0,
    samples: 10,
    bad: 4,
    unknown: 0,
    unknownSeconds: 0,
  });
});

test('each kind in an outage is named once, in the order in which it came, and slow seconds are given apart', () => {
  const { outages, downtime: total } = measured('.xssxt.');
  assert.deepEqual(outages[0]?.kinds, ['503', 'slow', 'timeout']);
  assert.equal(total.slowSeconds, 2);
  assert.equal(measured('.ss').downtime.slowSeconds, 2);
});

test('an unknown tick is neither up nor down: it widens the bounds of an outage', () => {
  assert.deepEqual(bounds(measured('.?xx?.')), [[1, 3, 5]]);
  assert.deepEqual(bounds(measured('.xx?xx.')), [[2, 5, 6]]);
  assert.deepEqual(bounds(measured('.xx xx.')), [[2, 5, 6]], 'the same where the log is silent');
  assert.equal(measured('.x?x.').downtime.unknown, 1);
});

test('unknown ticks between good samples could hide an outage of that length', () => {
  const { downtime: total } = measured('..???...    ..');
  assert.deepEqual([total.unknown, total.unknownSeconds, total.seconds], [7, 9, 0]);
});

test('an outage that is open at an end of the log is cut there, and says so', () => {
  const { outages } = measured('xx..xx');
  assert.deepEqual(bounds(measured('xx..xx')), [
    [1, 2, 2],
    [1, 2, 3],
  ]);
  assert.deepEqual([outages[0]?.openAtStart, outages[0]?.openAtEnd], [true, undefined]);
  assert.deepEqual([outages[1]?.openAtStart, outages[1]?.openAtEnd], [undefined, true]);
});

test('in a window, what lies outside does not count, and its edges bound the outages', () => {
  const within = (from: number, to: number) => measured('..xxxx....', { from: atSecond(from), to: atSecond(to) });
  assert.deepEqual(bounds(within(3.5, 9)), [[1, 2, 2.5]]);
  assert.deepEqual(bounds(within(0, 4.5)), [[2, 2.5, 3.5]]);
  assert.equal(within(6, 9).downtime.bad, 0);
});

test('a window that the log does not fill is unknown where it is empty', () => {
  const { downtime: total } = measured('   ..    ', { from: START, to: atSecond(9) });
  assert.deepEqual([total.samples, total.unknown], [2, 6]);
  const empty = measured('', { from: START, to: atSecond(60) });
  assert.deepEqual([empty.downtime.samples, empty.downtime.unknown, empty.downtime.unknownSeconds], [0, 59, 60]);
  assert.deepEqual(bounds(measured('.xx     ', { from: START, to: atSecond(8) })), [[1, 2, 8]]);
});

test('times in whole seconds widen the bounds by their resolution', () => {
  assert.deepEqual(bounds(measured('..xxx..', { resolutionSeconds: 1 })), [[1, 3, 5]]);
  assert.deepEqual(bounds(measured('..x..', { resolutionSeconds: 1 })), [[0, 1, 3]]);
});

test('at most X seconds is met by the upper bound, not met by the lower, and open in between', () => {
  const total = measured('.xxx.').downtime;
  assert.deepEqual(
    [1, 2, 3, 4].map((seconds) => atMost(total, seconds)),
    ['not-met', 'inconclusive', 'inconclusive', 'met'],
  );
  assert.equal(atMost(measured('.x???????.').downtime, 2), 'inconclusive');
  assert.equal(
    atMost(measured('....       ..').downtime, 5),
    'inconclusive',
    'where nobody looked there may have been downtime',
  );
  assert.equal(atMost(measured('').downtime, 60), 'inconclusive');
});

/** Up and down in turn, each for longer than an interval, so that a run of bad samples is one outage. */
const stretches = fc.array(fc.integer({ min: 1001, max: 9000 }), { minLength: 1, maxLength: 12 });

interface Truth {
  readonly downMs: (from: number, to: number) => number;
  readonly isDown: (at: number) => boolean;
  readonly endsAt: number;
}

function truth(lengths: readonly number[], startsDown: boolean): Truth {
  const edges = lengths.reduce<number[]>((all, length) => [...all, (all.at(-1) ?? START) + length], [START]);
  const downs = lengths.flatMap((_, i) =>
    (i % 2 === 0) === startsDown ? [[edges[i] as number, edges[i + 1] as number] as const] : [],
  );
  return {
    downMs: (from, to) =>
      downs.reduce((sum, [down, up]) => sum + Math.max(0, Math.min(up, to) - Math.max(down, from)), 0),
    isDown: (at) => downs.some(([down, up]) => at >= down && at < up),
    endsAt: edges.at(-1) as number,
  };
}

const seen = fc.record({
  lengths: stretches,
  startsDown: fc.boolean(),
  phase: fc.nat(999),
  lost: fc.infiniteStream(fc.boolean()),
  loss: fc.boolean(),
});

test('for every course of events and every phase: lower ≤ true ≤ upper, outage by outage and in all', () => {
  fc.assert(
    fc.property(seen, ({ lengths, startsDown, phase, lost, loss }) => {
      const real = truth(lengths, startsDown);
      const samples: Tick[] = [];
      for (let at = START + phase; at < real.endsAt; at += 1000) {
        const isLost = loss && lost.next().value && lost.next().value;
        if (!isLost) samples.push(real.isDown(at) ? { at, kind: '503' } : { at });
        else if (lost.next().value) samples.push({ at, unknownTicks: 1 });
      }
      const window = { from: START, to: real.endsAt };
      const { outages, downtime: total } = downtime(samples, { intervalSeconds: 1, ...window });
      for (const outage of outages) {
        const [first, last] = [Date.parse(outage.from), Date.parse(outage.to)];
        const goodBefore =
          samples.findLast(({ at, ...tick }) => at < first && !('kind' in tick) && !('unknownTicks' in tick))?.at ??
          window.from;
        const goodAfter =
          samples.find(({ at, ...tick }) => at > first && !('kind' in tick) && !('unknownTicks' in tick))?.at ??
          window.to;
        const trueMs = real.downMs(goodBefore, goodAfter);
        assert.ok(outage.lowerSeconds * 1000 <= trueMs, `lower ${outage.lowerSeconds} s > ${trueMs} ms`);
        assert.ok(outage.upperSeconds * 1000 >= trueMs, `upper ${outage.upperSeconds} s < ${trueMs} ms`);
        assert.ok(outage.lowerSeconds <= outage.seconds && outage.seconds <= outage.upperSeconds);
        assert.ok(last > first);
      }
      const all = real.downMs(window.from, window.to) / 1000;
      assert.ok(total.lowerSeconds <= all);
      const unseen = loss ? total.unknownSeconds : 0;
      assert.ok(all <= total.upperSeconds + unseen, `${all} s > ${total.upperSeconds} s + ${unseen} s`);
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
