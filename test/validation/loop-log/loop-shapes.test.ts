import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../../src/host/errors.ts';
import { memoryFiles } from '../../../src/host/memory-files.ts';
import { type Analysis, analyze } from '../../../src/validation/downtime/analyze.ts';
import { doubtOf } from '../../../src/validation/downtime/certainty.ts';
import { loopLog } from '../../../src/validation/loop-log/loop-log.ts';
import {
  firstDown,
  firstUp,
  iso,
  type Request,
  readable,
  refused,
  requests,
  type Shape,
  startedAt,
} from '../../support/loop-shapes.ts';
import { timed, untimed } from '../../support/more-loop-shapes.ts';

const linesOf = (shape: Shape, all: readonly Request[]): readonly string[] => all.flatMap(shape);

async function analyzed(lines: readonly string[], columns?: Parameters<typeof analyze>[2]): Promise<Analysis> {
  const files = memoryFiles();
  await files.replace('log', lines.map((line) => `${line}\n`).join(''));
  return analyze(files, 'log', columns);
}

/** The one true outage, within its bounds. */
function assertOutage({ outages, downtime, log }: Analysis, what: string): void {
  assert.equal(outages.length, 1, `${what}: ${JSON.stringify(outages)}`);
  assert.equal(outages[0]?.from.slice(0, 19), new Date(startedAt + 1000 * firstDown).toISOString().slice(0, 19), what);
  const seconds = firstUp - firstDown;
  assert.ok(downtime.lowerSeconds <= seconds && downtime.upperSeconds >= seconds, what);
  assert.ok(Math.abs(downtime.seconds - seconds) <= 1, `${what}: ${downtime.seconds} s`);
  assert.ok(log.unknown <= 1, `${what}: ${log.unknown} unknown`);
}

test('sixty and more shapes of loops are read as they are meant', async () => {
  assert.ok(Object.keys(readable).length >= 60);
  for (const [name, shape] of Object.entries(readable))
    for (const status of [503, 0]) {
      const analysis = await analyzed(linesOf(shape, requests(status))).catch((error) => {
        throw new Error(`${name}: ${error.message}`);
      });
      assertOutage(analysis, name);
      assert.equal(doubtOf(analysis), undefined, name);
    }
});

test('a log that does not show what its columns are, or is none, is refused with what to do', async () => {
  for (const [name, shape] of Object.entries(refused))
    await assert.rejects(
      analyzed(linesOf(shape, requests(503))),
      (error) => error instanceof UsageError && error.mistakes.length === 1,
      name,
    );
});

/** `right`, `refused` with 2 or 4, or what is wrong. */
async function outcome(shape: Shape, course: readonly Request[], hasOutage: boolean): Promise<string> {
  const analysis = await analyzed(linesOf(shape, course)).catch(refusedIsUndefined);
  if (analysis === undefined || doubtOf(analysis) !== undefined) return 'refused';
  const { outages, downtime } = analysis;
  if (!hasOutage) return outages.length === 0 ? 'right' : 'an outage that was none';
  const [first] = outages;
  const begins = new Date(startedAt + 1000 * firstDown).toISOString().slice(0, 19);
  const isWithin = downtime.lowerSeconds <= firstUp - firstDown && downtime.upperSeconds >= firstUp - firstDown;
  return outages.length === 1 && first?.from.startsWith(begins) && isWithin ? 'right' : `${outages.length} outages`;
}

const slow = requests(200).map((one) => (one.isDown ? { ...one, seconds: 1.4 + one.second / 1e4 } : one));
const healthy = requests(200).map((one) => ({ ...one, isDown: false }));
const withStatus = { '503': requests(503), '000': requests(0), healthy };

test('eighty further shapes are read right or refused, never silently wrong', async () => {
  const every = [
    ...Object.entries(timed).map(([name, shape]) => ({ name, shape, courses: { ...withStatus, slow } })),
    ...Object.entries(untimed).map(([name, shape]) => ({ name, shape, courses: withStatus })),
  ];
  const outcomes = every.flatMap(({ name, shape, courses }) =>
    Object.entries(courses).map(async ([course, all]) => ({
      of: `${name}, ${course}`,
      is: await outcome(shape, all, course !== 'healthy'),
    })),
  );
  const all = await Promise.all(outcomes);
  const isRight = ({ is }: { readonly is: string }) => is === 'right';
  assert.deepEqual(
    all.filter((one) => !isRight(one) && one.is !== 'refused'),
    [],
  );
  assert.ok(every.length >= 75 && all.filter(isRight).length > 200);
});

test('a refusal shows the columns and how they are named; named, they are read', async () => {
  const lines = requests(503).map((one) => `${iso(one.at)} 200 ${one.status} ${one.seconds.toFixed(6)}`);
  await assert.rejects(
    analyzed(lines),
    /columns 2 and 3 may each be the status; its columns are 1 \(the time 2026-11-28T09:00:00\+00:00\), 2 200, 3 200, 4 0\.010000; name them, as in --columns time,status,_,_ /,
  );
  const analysis = await analyzed(lines, { columns: ['time', '_', 'status', 'total'] });
  assertOutage(analysis, 'named');
  assert.deepEqual(analysis.columns, ['time', '_', 'status', 'total']);
});

test('a column that is another one than it seemed is refused, however late that shows', () => {
  const loop = loopLog({ sample: () => {}, unread: () => {} }, undefined, { least: 100, most: 100 });
  for (let second = 0; second < 150; second++)
    loop.line(`${iso(new Date(startedAt + 1000 * second))} 200 200 0.012000`);
  assert.throws(
    () => loop.line(`${iso(new Date(startedAt + 150_000))} 200 503 0.012000`),
    /columns 2 and 3 may each be the status/,
  );
});

test('a twentieth of the lines may be other text; with more, nothing is said', async () => {
  const lines = linesOf(readable['date, status and total on one line'] as Shape, requests(503));
  const mixed = (count: number) => [
    ...lines,
    ...Array.from({ length: count }, (_, index) => `worker ${index} has begun`),
  ];
  const some = await analyzed(mixed(3));
  assert.deepEqual([some.unread, doubtOf(some)], [{ lines: 3, ofLines: 63, first: 'worker 0 has begun' }, undefined]);
  assert.deepEqual(doubtOf(await analyzed(mixed(4))), { unread: 4 / 64 });
});

test('the lines of two loops in one log are two targets', async () => {
  const lines = requests(503).flatMap((one) => [
    `${iso(one.at)} https://a.example/ ${one.status} 0.012000`,
    `${iso(one.at)} https://b.example/ 200 0.013000`,
  ]);
  const { targets, outages } = await analyzed(lines);
  assert.deepEqual(
    targets?.map(({ target, downtime }) => [target, downtime.seconds]),
    [
      ['https://a.example/', 7],
      ['https://b.example/', 0],
    ],
  );
  assert.deepEqual(
    outages.map(({ target }) => target),
    ['https://a.example/'],
  );
});

test('which server answered, by chance, is no target', async () => {
  const lines = requests(503).map(
    (one) => `${iso(one.at)} ${one.status} 0.012000${one.isDown ? '' : ` pod-${(one.second * one.second * 7) % 3}`}`,
  );
  assertOutage(await analyzed(lines), 'pods');
});

const localLines = (times: readonly string[], isDown: (index: number) => boolean) =>
  times.map((time, index) => `${time} ${isDown(index) ? '503' : '200'} 0.012000`);
const localTimes = (day: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${day} ${new Date(1000 * (from + index)).toISOString().slice(11, 19)}`);

test('an hour that local time leaves out is unknown, and one that is there twice lasts two hours', async () => {
  const spring = [...localTimes('2026-03-29', 7140, 60), ...localTimes('2026-03-29', 10_800, 60)];
  const begun = await analyzed(localLines(spring, (index) => index >= 57 && index < 64));
  assert.deepEqual([begun.downtime.seconds, begun.log.unknown, begun.log.clockSteps?.[0]?.seconds], [7, 3600, 3600]);
  const autumn = [...localTimes('2026-10-25', 10_740, 60), ...localTimes('2026-10-25', 7200, 60)];
  const ended = await analyzed(localLines(autumn, (index) => index >= 57 && index < 64));
  assert.deepEqual([ended.downtime.seconds, ended.log.unknown, ended.log.clockSteps?.[0]?.seconds], [7, 0, -3600]);
});

/** The columns of a loop in any order, with others beside them, cut and mixed with other text. */
const columnTexts: Readonly<Record<string, Shape>> = {
  status: ({ status }) => String(status).padStart(3, '0'),
  total: ({ seconds }) => seconds.toFixed(6),
  time: ({ at }) => iso(at),
  host: () => 'web-200',
  address: () => '203.0.113.7:443',
  size: ({ isDown }) => (isDown ? '190' : '10485'),
  connect: ({ seconds }) => (seconds / 3).toFixed(6),
  state: ({ isDown }) => (isDown ? 'DOWN' : 'UP'),
  port: () => '443',
  count: ({ second }) => String(second + 180),
  millis: ({ seconds }) => `${(1000 * seconds).toFixed(1)} ms`,
  version: () => '1.1',
  protocol: () => 'HTTP/1.1',
  load: ({ second }) => `0.${40 + (second % 13)}`,
  limit: () => '(timeout 5s)',
  server: ({ second }) => `pod-${second % 4}`,
  level: ({ isDown }) => (isDown ? 'WARN' : 'INFO'),
};
interface Disturbed {
  readonly order: readonly string[];
  readonly separator: string;
  readonly status: number;
  readonly slow: boolean;
  readonly cut: readonly (readonly [number, number])[];
  readonly text: readonly (readonly [number, string])[];
}
const disturbed: fc.Arbitrary<Disturbed> = fc.record({
  order: fc.shuffledSubarray(Object.keys(columnTexts), { minLength: 1 }),
  separator: fc.constantFrom(' ', ',', ';', '\t', ' | '),
  status: fc.constantFrom(503, 0, 200),
  slow: fc.boolean(),
  cut: fc.array(fc.tuple(fc.nat(59), fc.nat(60)), { maxLength: 8 }),
  text: fc.array(
    fc.tuple(
      fc.nat(59),
      fc.constantFrom(
        '<html>',
        '2026-11-28T09:00:30+00:00 job 200 started',
        'curl: (7) Failed',
        'PING a (1.2.3.4)',
        '200 0.01',
        '{"a":',
        '503',
      ),
    ),
    { maxLength: 12 },
  ),
});

/** Whether the columns that are left show the outage. */
function shows({ order, status, slow }: Disturbed): boolean {
  const isTimed = order.includes('total') || order.includes('millis');
  const byStatus = order.includes('status') && (status !== 200 || (slow && isTimed));
  return byStatus || order.includes('state');
}

function disturbedLines({ order, separator, status, slow, cut, text }: Disturbed): readonly string[] {
  const course = requests(status).map((one) => (slow && one.isDown ? { ...one, seconds: 1.4 } : one));
  const lines = course.map((one) => order.map((column) => (columnTexts[column] as Shape)(one)).join(separator));
  for (const [line, length] of cut) lines[line] = lines[line]?.slice(0, length) ?? '';
  for (const [line, words] of text) lines.splice(line, 0, words);
  return lines;
}

const refusedIsUndefined = (error: unknown): undefined => {
  if (!(error instanceof UsageError)) throw error;
};

test('however columns are shuffled, cut or mixed with text: the true outage is within bounds, or the exit code is not 0', async () => {
  await fc.assert(
    fc.asyncProperty(disturbed, async (log) => {
      const lines = disturbedLines(log);
      const analysis = await analyzed(lines).catch(refusedIsUndefined);
      const isZero = analysis !== undefined && doubtOf(analysis) === undefined && analysis.outages.length === 0;
      assert.ok(!isZero || !shows(log), lines.join('\n'));
    }),
    { numRuns: 150 },
  );
});
