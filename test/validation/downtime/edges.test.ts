import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { downtime } from '../../../src/validation/downtime/downtime-meter.ts';
import { downtimeLogReader, downtimeWithin } from '../../../src/validation/downtime/read-downtime-log.ts';
import { course, downMs, inOrder, samplesOf } from '../../support/up-and-down.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');

/** Each stretch longer than an interval and its jitter, so that a run of bad samples is one outage at 1 Hz too. */
const lengths = fc.array(fc.integer({ min: 1100, max: 9000 }), { minLength: 1, maxLength: 12 });
const jitter = fc.infiniteStream(fc.nat(80));

/** Far enough apart that each outage stands alone. */
const apart = fc
  .array(fc.tuple(fc.integer({ min: 12_000, max: 20_000 }), fc.integer({ min: 1100, max: 9000 })), { maxLength: 6 })
  .map((pairs) => pairs.flat());

for (const [lasting, isApart] of [
  [lengths, false],
  [apart, true],
] as const)
  test(`for any course, phase and jitter: lower ≤ true ≤ upper with edges too${isApart ? ', and of outages that stand alone no bound is wider than without' : ''}`, () => {
    fc.assert(boundsWithEdges(lasting, isApart), { numRuns: 300 });
  });

function boundsWithEdges(lasting: fc.Arbitrary<number[]>, isApart: boolean) {
  return fc.property(
    lasting,
    fc.boolean(),
    fc.nat(999),
    fc.nat(99),
    jitter,
    (all, startsDown, phase, edgePhase, late) => {
      const real = course(START, all, startsDown && !isApart);
      const jitterMs = () => late.next().value;
      const every = samplesOf(real, { everyMs: 1000, phaseMs: phase, jitterMs });
      const edges = samplesOf(real, { everyMs: 100, phaseMs: edgePhase, jitterMs, edge: true });
      const window = { from: START, to: real.to };
      const plain = downtime(every, { intervalSeconds: 1, ...window }).downtime;
      const sharp = downtime(inOrder(every, edges), { intervalSeconds: 1, ...window }).downtime;
      const trueSeconds = downMs(real, START, real.to) / 1000;
      assert.ok(sharp.lowerSeconds <= trueSeconds, `lower ${sharp.lowerSeconds} of ${trueSeconds}`);
      assert.ok(trueSeconds <= sharp.upperSeconds, `upper ${sharp.upperSeconds} of ${trueSeconds}`);
      if (isApart) assert.ok(sharp.lowerSeconds >= plain.lowerSeconds - 1e-9);
      if (isApart) assert.ok(sharp.upperSeconds <= plain.upperSeconds + 1e-9);
      // Counts and unknown time are those of the samples of the interval.
      assert.deepEqual([sharp.samples, sharp.bad, sharp.unknown], [plain.samples, plain.bad, plain.unknown]);
    },
  );
}

const header = '# holdfast downtime-log 1 target=http://a/ interval=1s edges=100ms timeout=10s slow=1s expect=200';
const line = (second: number, status: number, words = '') =>
  `${new Date(START + second * 1000).toISOString()} ${status} 0.010${words}`;

function read(...lines: readonly string[]) {
  const reader = downtimeLogReader();
  reader.push(Buffer.from(`${[header, ...lines].join('\n')}\n`));
  return downtimeWithin(reader.end());
}

test('the edges sharpen both ends of an outage, which says so; the counts are those of the samples each second', () => {
  const { outages, downtime: total } = read(
    line(0, 200),
    line(0.6, 200, ' probe=edge'),
    line(0.7, 503, ' probe=edge'),
    line(1, 503),
    line(2, 503),
    line(2.2, 503, ' probe=edge'),
    line(2.3, 200, ' probe=edge'),
    line(3, 200),
  );
  assert.deepEqual(outages, [
    {
      from: '2026-11-20T10:00:00.700Z',
      to: '2026-11-20T10:00:02.300Z',
      seconds: 1.6,
      lowerSeconds: 1.5,
      upperSeconds: 1.7,
      samples: 2,
      kinds: ['503'],
      edges: true,
    },
  ]);
  assert.deepEqual([total.samples, total.bad, total.unknown, total.edges], [4, 2, 0, { samples: 4, bad: 2 }]);
});

test('an outage that the edges did not touch says nothing of them', () => {
  const { outages } = read(line(0, 200), line(1, 503), line(2, 200), line(2.1, 200, ' probe=edge'));
  assert.equal(outages[0]?.edges, undefined);
  assert.deepEqual([outages[0]?.lowerSeconds, outages[0]?.upperSeconds], [0, 2]);
});

test('an outage between two samples of the interval is one by the edges, without a bad sample', () => {
  const { outages, downtime: total } = read(
    line(0, 200),
    line(0.3, 200, ' probe=edge'),
    line(0.4, 503, ' probe=edge'),
    line(0.5, 503, ' probe=edge'),
    line(0.6, 200, ' probe=edge'),
    line(1, 200),
  );
  assert.deepEqual(
    outages.map(({ samples, seconds, edges }) => [samples, seconds, edges]),
    [[0, 0.2, true]],
  );
  assert.deepEqual([total.bad, total.seconds, total.edges], [0, 0.2, { samples: 4, bad: 2 }]);
});

test('edges make no second known that had no sample, and what is unknown of them is as if it had not been', () => {
  const { downtime: total } = read(
    line(0, 200),
    line(1.5, 200, ' probe=edge'),
    line(3, 200),
    `# stall 2.000 from=${new Date(START + 4000).toISOString()}`,
    `${line(4.2, 200, ' probe=edge').replace('0.010', '1.800')}`,
    line(4, 200),
  );
  assert.deepEqual([total.samples, total.unknown, total.bad], [3, 2, 0]);
  assert.equal(total.edges?.bad, 0);
});

test('a probe of the edges of which nothing is known makes nothing unknown', () => {
  const ticks = [0, 1000, 2000, 3000].map((at) => ({ at, ...(at === 2000 ? { kind: '503' as const } : {}) }));
  const plain = downtime(ticks, { intervalSeconds: 1 });
  const stalled = { at: 1500, unknownTicks: 1, edge: true };
  assert.deepEqual(downtime([...ticks.slice(0, 2), stalled, ...ticks.slice(2)], { intervalSeconds: 1 }), plain);
});
