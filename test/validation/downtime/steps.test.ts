import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomStreams } from '../../../packages/embedded-cluster/src/outside/random.ts';
import { downtime, type Tick } from '../../../src/validation/downtime/downtime-meter.ts';
import type { OutageKind } from '../../../src/validation/downtime/outage-kind.ts';
import { shareOf } from '../../../src/validation/downtime/share.ts';
import { inOrder } from '../../support/up-and-down.ts';

/** Parts of a target that are down one by one, milliseconds: a request goes to any of them. */
type Parts = readonly { readonly from: number; readonly to: number }[];

const random = randomStreams('steps')('cases');
const between = (least: number, most: number) => least + (most - least) * random();

const begun = 20_000;
const seenMs = 120_000;

function probes(parts: Parts, everyMs: number, edge: boolean): readonly Tick[] {
  const phaseMs = between(0, everyMs);
  return Array.from({ length: Math.floor((seenMs - phaseMs) / everyMs) }, (_, index) => {
    const at = Math.round(phaseMs + index * everyMs);
    const part = parts[Math.floor(random() * parts.length)];
    const isBad = part !== undefined && at >= part.from && at < part.to;
    return { at, millis: 1, ...(isBad ? { kind: '503' as const } : {}), ...(edge ? { edge } : {}) };
  });
}

interface Outside {
  readonly downtime: boolean;
  /** Undefined where the outage was not seen to be one of a part of the requests. */
  readonly span: boolean | undefined;
}

/** Whether the true downtime and the true span are outside of the bounds. */
function outside(parts: Parts, edgesMs?: number): Outside {
  const samples = inOrder(probes(parts, 1000, false), edgesMs === undefined ? [] : probes(parts, edgesMs, true));
  const { downtime: measured } = downtime(samples, { intervalSeconds: 1, from: 0, to: seenMs });
  const isOutside = (
    ms: number,
    { lowerSeconds, upperSeconds }: Pick<typeof measured, 'lowerSeconds' | 'upperSeconds'>,
  ) => ms < 1000 * lowerSeconds || ms > 1000 * upperSeconds;
  const downMs = parts.reduce((sum, { from, to }) => sum + (to - from), 0) / parts.length;
  const down = parts.filter(({ from, to }) => to > from);
  const spanMs = Math.max(...down.map(({ to }) => to)) - Math.min(...down.map(({ from }) => from));
  return {
    downtime: isOutside(downMs, measured),
    span: measured.partial === undefined ? undefined : isOutside(spanMs, measured.partial),
  };
}

function countOutside(cases: number, make: () => Parts, edgesMs?: number) {
  const all = Array.from({ length: cases }, () => outside(make(), edgesMs));
  const spans = all.filter(({ span }) => span !== undefined);
  return {
    downtime: all.filter((one) => one.downtime).length,
    spans: spans.length,
    span: spans.filter(({ span }) => span).length,
  };
}

/** Two controllers of two workers: each asks for its endpoints once a second. */
function workers(): Parts {
  const lastMs = between(1000, 6000);
  return Array.from({ length: 4 }, () => {
    const lateMs = between(0, 1000);
    return { from: begun + lateMs, to: begun + lastMs + lateMs };
  });
}

for (const edgesMs of [100, 200])
  test(`where workers learn one after the other, by probes ${edgesMs} ms apart the true downtime is in its bounds in 99 % of cases, the true span in 95 %`, () => {
    const { downtime: wrong, spans, span } = countOutside(1000, workers, edgesMs);
    assert.ok(spans > 500);
    assert.ok(wrong <= 10, `${wrong} of 1000`);
    assert.ok(span <= 0.05 * spans, `${span} of ${spans}`);
  });

for (const [bad, all] of [
  [1, 2],
  [3, 4],
] as const)
  test(`where ${bad} of ${all} requests fail, one probe a second has the true downtime in its bounds in 99 % of cases, the true span in 95 %`, () => {
    const make = () => {
      const to = begun + between(20_000, 60_000);
      return Array.from({ length: all }, (_, index) => ({ from: begun, to: index < bad ? to : begun }));
    };
    const { downtime: wrong, spans, span } = countOutside(1000, make);
    assert.ok(wrong <= 10, `${wrong} of 1000`);
    assert.ok(shareOf(span, spans).lower <= 0.05, `${span} of ${spans}`);
  });

const measured = (picture: string, kind: OutageKind, everyMs: number) =>
  downtime(
    [...picture].map((mark, index) => ({
      at: index * everyMs,
      millis: 1,
      ...(mark === 'b' ? { kind } : {}),
      ...(index * everyMs === Math.round((index * everyMs) / 1000) * 1000 ? {} : { edge: true }),
    })),
    { intervalSeconds: 1 },
  );
const bounds = ({ downtime: { lowerSeconds, upperSeconds } }: ReturnType<typeof measured>) => [
  lowerSeconds,
  upperSeconds,
];
const good = '.'.repeat(20);
const whole = `${good}${'b'.repeat(21)}${good}`;

test('where every request fails nothing is added to the bounds, but for a status from something that still answers in front, by faster probes', () => {
  assert.deepEqual(bounds(measured(whole, 'refused', 100)), [2, 2.2]);
  assert.deepEqual(bounds(measured(whole, 'timeout', 100)), [2, 2.2]);
  assert.deepEqual(bounds(measured(whole, '503', 100)), [1.4, 2.8]);
  assert.deepEqual(bounds(measured(whole, '502', 200)), [3.4, 5]);
  assert.deepEqual(bounds(measured(whole, '503', 1000)), [20, 22], 'a probe a second cannot look into the steps');
  assert.deepEqual(
    measured(whole, '503', 100).episodes.map((one) => [one.lowerSeconds, one.upperSeconds]),
    [[1.4, 2.8]],
  );
  assert.equal(measured(whole, '503', 100).outages[0]?.upperSeconds, 2.2, 'its samples are what they are');
});

test('the bounds do not reach out of the time that was seen', () => {
  assert.deepEqual(bounds(measured(`..${'b'.repeat(20)}.`, '503', 100)), [1.3, 2.5], 'from the first sample on');
  assert.deepEqual(
    bounds(measured(`${'b'.repeat(21)}${good}`, '503', 100)),
    [1.7, 2.4],
    'no step where it was down before',
  );
  assert.deepEqual(bounds(measured(`${good}${'b'.repeat(21)}`, '503', 100)), [1.7, 3.4], 'nor where it is down after');
});

/**
 * Samples of an interval of 1 s, and faster ones; `b` is bad, and the number behind `g` is how long a good answer took.
 */
const ticksAt = (samples: Readonly<Record<number, string>>): readonly Tick[] =>
  Object.entries(samples).map(([at, mark]) => ({
    at: Number(at),
    millis: Number(mark.slice(1)),
    ...(mark[0] === 'b' ? { kind: '503' as const } : {}),
    ...(Number(at) % 1000 === 0 ? {} : { edge: true }),
  }));

test('what is known beyond the samples of the interval is not taken back', () => {
  const early = downtime(ticksAt({ 600: 'g1', 1000: 'b1', 1100: 'b1', 1200: 'g1', 2000: 'g1' }), {
    intervalSeconds: 1,
  });
  assert.deepEqual(bounds(early), [0, 0.9], 'a faster probe was good before the first of the interval');
  const late = downtime(ticksAt({ 1000: 'g1', 2000: 'b1', 2100: 'b1', 3000: 'g5000' }), { intervalSeconds: 1 });
  assert.deepEqual(bounds(late), [0, 7], 'the last answer came after the end of the log');
  assert.equal(late.episodes[0]?.upperSeconds, 7);
});

test('a gateway’s status is enough among others, and 502, 503 and 504 are all that are', () => {
  for (const kind of ['502', '503', '504'] as const) assert.deepEqual(bounds(measured(whole, kind, 100)), [1.4, 2.8]);
  for (const kind of ['500', '501', '505', '404'] as const)
    assert.deepEqual(bounds(measured(whole, kind, 100)), [2, 2.2]);
  const mixed = ['503', 'refused'] as const;
  const ticks = [...whole].map((mark, index) => ({
    at: index * 100,
    ...(mark === 'b' ? { kind: mixed[index % 2] as OutageKind } : {}),
    ...(index % 10 === 0 ? {} : { edge: true }),
  }));
  assert.deepEqual(bounds(downtime(ticks, { intervalSeconds: 1 })), [1.4, 2.8]);
});

test('where a small part fails the bounds reach ten samples further at most, and only outward from the first and the last outage', () => {
  const few = `${good}${'bgggggg'.repeat(4)}bgg${good}`;
  const { downtime: found, sight } = measured(few, '503', 1000);
  assert.deepEqual([found.partial?.lowerSeconds, found.partial?.upperSeconds], [28, 50], 'ten at either end');
  const brackets = sight.outages.map(({ goodBeforeAt, goodAfterAt }) => (goodAfterAt - goodBeforeAt) / 1000);
  assert.deepEqual(brackets, [12, 2, 2, 2, 12]);
});
