import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runningDowntime } from '../../src/dashboard/running-downtime.ts';
import { downtime, type Tick } from '../../src/validation/downtime/downtime-meter.ts';
import { episodesOf } from '../support/results.ts';

const start = Date.parse('2026-11-20T10:00:00.000Z');

/** One tick a second, good or bad. */
const ticksOf = (bad: readonly boolean[]): readonly Tick[] =>
  bad.map((isBad, second) => ({ at: start + second * 1000, ...(isBad ? { kind: '503' as const } : {}) }));

test('the running downtime only grows, up to the report’s downtime', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (bad) => {
      const counted = downtime(ticksOf([false, ...bad, false]), { intervalSeconds: 1 });
      const moments = runningDowntime(counted, start);
      moments.forEach((moment, index) => {
        const before = moments[index - 1] ?? moment;
        assert.ok(moment.at >= before.at);
        for (const figure of ['seconds', 'lowerSeconds', 'upperSeconds'] as const)
          assert.ok(moment[figure] >= before[figure], figure);
      });
      const { at: _, ...last } = moments.at(-1) ?? { at: 0 };
      assert.deepEqual(last, counted.downtime.span);
    }),
  );
});

test('during an outage the running downtime includes its part so far', () => {
  const counted = downtime(ticksOf([false, true, true, true, true, false]), { intervalSeconds: 1 });
  const moment = runningDowntime(counted, start).find(({ at }) => at === start + 3000);
  assert.deepEqual(moment, { at: start + 3000, seconds: 2, lowerSeconds: 2, upperSeconds: 3 });
});

test('the running upper bound has the episodes that have begun since the count did, each with what was unseen before it', () => {
  const [good, part] = [Array.from({ length: 30 }, () => false), [true, false, true, false, true]];
  const counted = downtime(ticksOf([...good, ...part, ...good, ...part, ...good]), { intervalSeconds: 1 });
  const [first, second] = counted.episodes;
  assert.ok(first !== undefined && second !== undefined);
  const upperAt = (moments: ReturnType<typeof runningDowntime>, at: string) =>
    moments.find((moment) => moment.at === Date.parse(at))?.upperSeconds;
  const moments = runningDowntime(counted, start);
  const unseen = first.upperSeconds - first.spanSeconds;
  assert.ok(unseen > 5);
  assert.equal(upperAt(moments, first.from), unseen, 'at its beginning, and nothing of the second');
  assert.equal(upperAt(moments, first.to), first.upperSeconds);
  const later = runningDowntime(counted, Date.parse(second.from));
  assert.equal(later.at(-1)?.upperSeconds, second.upperSeconds, 'without what was before the count');
});

test('very many outages are all counted, in a bounded number of moments', () => {
  const counted = downtime(ticksOf(Array.from({ length: 30_000 }, (_, second) => second % 3 === 1)), {
    intervalSeconds: 1,
  });
  const moments = runningDowntime(counted, start);
  assert.equal(moments.at(-1)?.seconds, counted.downtime.span.seconds);
  assert.ok(moments.length <= 2000, `${moments.length}`);
  const early = moments.filter(({ at, seconds }) => seconds > Math.ceil((at - start) / 1000));
  assert.deepEqual(early, [], 'never more than the downtime so far');
});

test('an outage of a day has a bounded number of moments', () => {
  const day = 86_400_000;
  const iso = (at: number): string => new Date(at).toISOString();
  const span = { seconds: 86_400, lowerSeconds: 86_399, upperSeconds: 86_401 };
  const outage = { ...span, from: iso(start), to: iso(start + day), samples: 86_400, kinds: ['503' as const] };
  const moments = runningDowntime({ episodes: episodesOf([outage]), downtime: { span } }, start);
  assert.ok(moments.length < 200, `${moments.length}`);
});
