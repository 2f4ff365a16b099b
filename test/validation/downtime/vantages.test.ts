import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { downtime, type Tick } from '../../../src/validation/downtime/downtime-meter.ts';
import { type VantageRule, vantageRules } from '../../../src/validation/downtime/vantage-rule.ts';
import { mergedDowntime, type Vantage } from '../../../src/validation/downtime/vantages.ts';
import { type Course, course, samplesOf } from '../../support/up-and-down.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');

/** A letter a second: `u` good, `d` 503, `s` slow, `.` no sample. */
function vantage(name: string, seconds: string, phaseMs = 0): Vantage {
  const ticks = [...seconds].flatMap((letter, index): readonly Tick[] => {
    const at = START + phaseMs + 1000 * index;
    if (letter === '.') return [];
    return [letter === 'u' ? { at } : { at, kind: letter === 'd' ? '503' : 'slow' }];
  });
  const { sight } = downtime(ticks, { intervalSeconds: 1 });
  return { name, sight };
}

const merged = (rule: VantageRule, ...vantages: readonly Vantage[]) => mergedDowntime(vantages, rule, 1000);
const lengths = (one: ReturnType<typeof merged>) => [one.seconds, one.lowerSeconds, one.upperSeconds];

test('by default a target is down while any prober finds it down, and the outage says who', () => {
  const [a, b] = [vantage('a', 'uuddduuuuu'), vantage('b', 'uuuudduuuu')];
  const { outages, ...any } = merged('any', a, b);
  assert.deepEqual([any.seconds, any.lowerSeconds, any.upperSeconds], [4, 3, 5]);
  assert.deepEqual(
    outages.map(({ seenBy, notSeenBy, blind }) => ({ seenBy, notSeenBy, blind })),
    [{ seenBy: ['a', 'b'], notSeenBy: [], blind: [] }],
  );
  assert.deepEqual(lengths(merged('all', a, b)), [1, 0, 2]);
});

test('an outage for one of three is none for most of them', () => {
  const three = [vantage('a', 'uuddduuu'), vantage('b', 'uuuuuuuu'), vantage('c', 'uuuu....')];
  assert.deepEqual(lengths(merged('any', ...three)), [3, 2, 4]);
  assert.deepEqual(
    merged('any', ...three).outages.map(({ notSeenBy, blind }) => ({ notSeenBy, blind })),
    [{ notSeenBy: ['b', 'c'], blind: [] }],
  );
  assert.deepEqual(merged('all', ...three).outages, []);
});

test('a prober without a sample has no vote, and another one covers its gap', () => {
  const [a, b] = [vantage('a', 'uu......uu'), vantage('b', 'uuuddduuuu')];
  assert.deepEqual(
    merged('any', a, b).outages.map(({ seenBy, notSeenBy, blind }) => ({ seenBy, notSeenBy, blind })),
    [{ seenBy: ['b'], notSeenBy: [], blind: ['a'] }],
  );
  assert.equal(merged('any', a, b).blind.filter(({ from, to }) => Number.isFinite(to - from)).length, 0);
  // The one that was blind may have been up: then not all were down.
  assert.deepEqual(lengths(merged('all', a, b)), [3, 0, 4]);
});

test('a gap that all of them have stays unknown', () => {
  const { blind } = merged('any', vantage('a', 'uu...uu'), vantage('b', 'uuu.uuu'));
  const gaps = blind.filter(({ from, to }) => Number.isFinite(to - from));
  assert.deepEqual(gaps, [{ from: START + 2000, to: START + 4000 }]);
});

test('an answer that was slow for one and failed for another is no slow one', () => {
  assert.equal(merged('any', vantage('a', 'uussssuu'), vantage('b', 'uuudduuu')).slowSeconds, 2);
  assert.equal(merged('all', vantage('a', 'uussssuu'), vantage('b', 'uuudduuu')).slowSeconds, 2);
});

test('outages that are a few seconds apart, each for another prober, are one episode', () => {
  const { episodes } = merged('any', vantage('a', 'uudduuuuuuuu'), vantage('b', 'uuuuuuudduuu'));
  assert.deepEqual(
    episodes.map(({ spanSeconds, outages, seenBy }) => ({ spanSeconds, outages, seenBy })),
    [{ spanSeconds: 7, outages: 2, seenBy: ['a', 'b'] }],
  );
});

/** Outages that everybody sees: longer than an interval. */
const anyCourse = fc
  .array(fc.tuple(fc.integer({ min: 1100, max: 9000 }), fc.integer({ min: 3000, max: 20_000 })), { maxLength: 4 })
  .map((pairs) => course(START, [5000, ...pairs.flat(), 5000], false));
const probers = fc.array(
  fc.record({ phaseMs: fc.integer({ min: 0, max: 999 }), lost: fc.array(fc.nat(60), { maxLength: 6 }) }),
  { minLength: 1, maxLength: 4 },
);

function sights(courses: readonly Course[], all: readonly { phaseMs: number; lost: readonly number[] }[]) {
  return all.map(({ phaseMs, lost }, index) => {
    const real = courses[index % courses.length] as Course;
    const seen = samplesOf(real, { everyMs: 1000, phaseMs }).filter((_, tick) => !lost.includes(tick));
    return { name: `${index}`, sight: downtime(seen, { intervalSeconds: 1, from: real.from, to: real.to }).sight };
  });
}

/** Milliseconds in which the rule holds of the true courses. */
function trueMs(courses: readonly Course[], rule: VantageRule): number {
  const { from } = courses[0] as Course;
  const until = Math.max(...courses.map(({ to }) => to));
  let sum = 0;
  for (let at = from; at < until; at += 1) {
    const down = courses.filter(({ downs }) => downs.some((one) => at >= one.from && at < one.to)).length;
    if (down > 0 && { any: true, all: down === courses.length, most: 2 * down > courses.length }[rule]) sum += 1;
  }
  return sum;
}

test('of one course that several probers see, with gaps of theirs, the bounds hold the truth by every rule', () => {
  fc.assert(
    fc.property(anyCourse, probers, fc.constantFrom(...vantageRules), (real, all, rule) => {
      const { lowerSeconds, upperSeconds, seconds } = mergedDowntime(sights([real], all), rule, 1000);
      const truth = trueMs([real], 'any') / 1000;
      assert.ok(lowerSeconds <= truth, `lower ${lowerSeconds}, true ${truth}`);
      assert.ok(lowerSeconds <= seconds && seconds <= upperSeconds);
      if (all.every(({ lost }) => lost.length === 0))
        assert.ok(truth <= upperSeconds, `upper ${upperSeconds}, ${truth}`);
    }),
    { numRuns: 150 },
  );
});

test('of courses that differ, as where a network is split, the bounds hold what the rule says of the truth', () => {
  const own = fc.tuple(anyCourse, anyCourse, anyCourse);
  fc.assert(
    fc.property(own, fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 999 }))), (courses, phases) => {
      const to = Math.min(...courses.map((one) => one.to));
      const cut = courses.map((one) => ({ ...one, to, downs: one.downs.filter((down) => down.to < to - 2000) }));
      const all = sights(
        cut,
        phases.map((phaseMs) => ({ phaseMs, lost: [] })),
      );
      for (const rule of vantageRules) {
        const { lowerSeconds, upperSeconds } = mergedDowntime(all, rule, 1000);
        const truth = trueMs(cut, rule) / 1000;
        assert.ok(lowerSeconds <= truth, `${rule}: lower ${lowerSeconds}, true ${truth}`);
        if (rule === 'any') assert.ok(truth <= upperSeconds, `${rule}: upper ${upperSeconds}, true ${truth}`);
      }
    }),
    { numRuns: 60 },
  );
});
