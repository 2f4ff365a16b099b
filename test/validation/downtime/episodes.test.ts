import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downtimeCell } from '../../../src/figures/figures.js';
import { atMost } from '../../../src/validation/downtime/downtime.ts';
import { downtime } from '../../../src/validation/downtime/downtime-meter.ts';

/** A sample a second: `b` bad, `g` good. */
const measured = (letters: string) =>
  downtime(
    [...letters].map((letter, index) => ({
      at: index * 1000,
      ...(letter === 'b' ? { kind: 'timeout' as const } : {}),
    })),
    { intervalSeconds: 1, from: 0, to: letters.length * 1000 },
  ).downtime;

const quiet = 'g'.repeat(30);

test('an outage of a part of the requests has a span with bounds, and a share', () => {
  const { partial, seconds, lowerSeconds, upperSeconds } = measured(`${quiet}bgbbggbgggb${quiet}`);
  assert.deepEqual(partial, {
    spanSeconds: 11,
    lowerSeconds: 10,
    upperSeconds: 20,
    share: 0.455,
    shareLower: 0.213,
    shareUpper: 0.72,
  });
  assert.deepEqual([seconds, lowerSeconds, upperSeconds], [5, 0, 20], 'at most the span');
  assert.equal(downtimeCell(measured(`${quiet}bgb${quiet}`)), '2.0–8.0 s, 20–94 % of requests');
});

test('where every request fails, and where outages are ten good samples apart, there is no part', () => {
  assert.equal(measured(`${quiet}bbbbb${quiet}`).partial, undefined);
  assert.equal(measured(quiet).partial, undefined);
  assert.equal(measured(`${quiet}bbb${'g'.repeat(10)}bbb${quiet}`).partial, undefined);
  assert.equal(measured(`${quiet}bbb${'g'.repeat(9)}bbb${quiet}`).partial?.spanSeconds, 15);
});

test('an outage with unknown seconds in it was down for sure only between the samples that are known', () => {
  const bad = (second: number) => ({ at: second * 1000, kind: 'timeout' as const });
  const good = (second: number) => ({ at: second * 1000 });
  const { episodes, outages } = downtime([good(0), bad(1), bad(2), bad(6), bad(7), bad(8), good(9)], {
    intervalSeconds: 1,
  });
  assert.deepEqual(
    episodes.map(({ spanSeconds, lowerSeconds, outages: parts }) => [spanSeconds, lowerSeconds, parts]),
    [[8, 3, 1]],
    'it may have been two outages, with an end between 2 and 6 s',
  );
  assert.equal(outages[0]?.lowerSeconds, 3);
});

test('at most 60 seconds is decided by the span: traffic is whole again only at its end', () => {
  const halfOf = (seconds: number) => measured(`${quiet}${'bg'.repeat(seconds / 2)}${quiet}`);
  assert.equal(atMost(halfOf(50), 60), 'met');
  assert.equal(atMost(halfOf(52), 60), 'met');
  assert.equal(atMost(halfOf(54), 60), 'inconclusive', 'four good samples at either end may be in it');
  assert.equal(atMost(halfOf(100), 60), 'not-met');
  assert.equal(halfOf(100).lowerSeconds, 0, 'by the outages alone nothing would be known');
});

test('ten good samples part two outages however close they are, and so do ten intervals with fewer of them', () => {
  const at = (times: readonly number[], bad: readonly number[]) =>
    downtime(
      times.map((time) => ({ at: time, ...(bad.includes(time) ? { kind: 'timeout' as const } : {}) })),
      { intervalSeconds: 1 },
    ).episodes.length;
  const close = [0, 1000, ...Array.from({ length: 10 }, (_, index) => 2000 + index * 990), 11_900, 12_900];
  assert.equal(at(close, [1000, 11_900]), 2, 'ten good samples in 9.9 s');
  assert.equal(at([0, 1000, 2000, 12_500, 13_500], [1000, 12_500]), 2, 'one good sample, then nothing for ten seconds');
  assert.equal(at([0, 1000, 2000, 11_500, 12_500], [1000, 11_500]), 1);
});

/** Samples a second, the second of two bad ones of another kind and cause. */
const episodesOf = (letters: string, resolutionSeconds = 0) => {
  const bad = { b: { kind: 'timeout', cause: 'one' }, s: { kind: 'slow', cause: 'other' } } as const;
  return downtime(
    [...letters].map((letter, index) => ({
      at: index * 1000,
      ...(letter in bad ? bad[letter as keyof typeof bad] : {}),
    })),
    { intervalSeconds: 1, resolutionSeconds },
  ).episodes;
};

test('an episode has the kinds and causes of all its outages, their sums, and is open where its first or last is', () => {
  const [one] = episodesOf(`${quiet}bbgsgb${quiet}`);
  assert.deepEqual(
    [one?.outages, one?.samples, one?.kinds, one?.causes, one?.badSeconds, one?.slowSeconds, one?.spanSeconds],
    [3, 4, ['timeout', 'slow'], ['one', 'other'], 4, 1, 6],
  );
  const [whole] = episodesOf(`${quiet}bbb${quiet}`);
  assert.deepEqual(
    [whole?.share, whole?.shareLower, whole?.shareUpper, whole?.outages],
    [undefined, undefined, undefined, 1],
  );
  const open = (letters: string) => episodesOf(letters).map(({ openAtStart, openAtEnd }) => [openAtStart, openAtEnd]);
  assert.deepEqual(open(`bgb${quiet}`), [[true, undefined]]);
  assert.deepEqual(open(`${quiet}bgb`), [[undefined, true]]);
});

test('times in whole seconds widen the bounds of an episode by a second, and never below nothing', () => {
  const bounds = (letters: string, resolution: number) =>
    episodesOf(letters, resolution).map(({ lowerSeconds, upperSeconds }) => [lowerSeconds, upperSeconds]);
  for (const letters of [`${quiet}bbbb${quiet}`, `${quiet}bbbgbbb${quiet}`]) {
    const [[lower = 0, upper = 0] = []] = bounds(letters, 0);
    assert.deepEqual(bounds(letters, 1), [[lower - 1, upper + 1]]);
  }
  assert.deepEqual(bounds(`${quiet}b${quiet}`, 1)[0]?.[0], 0);
});

test('two such times of trouble have their spans, bounds and samples together', () => {
  const { partial } = measured(`${quiet}bgb${quiet}bggbgb${quiet}`);
  const spans = episodesOf(`${quiet}bgb${quiet}bggbgb${quiet}`);
  assert.equal(spans.length, 2);
  const sum = (of: (one: (typeof spans)[number]) => number) => spans.reduce((total, one) => total + of(one), 0);
  assert.equal(partial?.spanSeconds, 9);
  assert.equal(
    partial?.lowerSeconds,
    sum(({ lowerSeconds }) => lowerSeconds),
  );
  assert.equal(
    partial?.upperSeconds,
    sum(({ upperSeconds }) => upperSeconds),
  );
  assert.equal(partial?.share, 0.556, '5 of 9');
});

test('the upper bound of a sum is never under that of its outages, where times in whole seconds make them wider than their span', () => {
  const bad = { kind: 'timeout' as const };
  const ticks = [...`${quiet}${'bg'.repeat(30)}${quiet}`].map((letter, index) => ({
    at: index * 1000,
    ...(letter === 'b' ? bad : {}),
  }));
  const { downtime: found, outages, episodes } = downtime(ticks, { intervalSeconds: 1, resolutionSeconds: 1 });
  assert.equal(
    found.upperSeconds,
    outages.reduce((sum, { upperSeconds }) => sum + upperSeconds, 0),
  );
  assert.ok(found.upperSeconds > (episodes[0]?.upperSeconds ?? 0));
});
