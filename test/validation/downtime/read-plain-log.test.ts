import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryFiles } from '../../../src/host/memory-files.ts';
import type { OpenFile } from '../../../src/host/open-file.ts';
import { analyze } from '../../../src/validation/downtime/analyze.ts';
import { downtimeMeter } from '../../../src/validation/downtime/downtime-meter.ts';
import type { JudgedListener } from '../../../src/validation/downtime/judged-log.ts';
import { judgedReader } from '../../../src/validation/downtime/judged-reader.ts';
import { latencyCounter } from '../../../src/validation/downtime/latency.ts';
import { type LogPiece, pieceFinder } from '../../../src/validation/downtime-log/log-pieces.ts';

const start = Date.parse('2026-11-20T10:00:00.203Z');
const iso = (second: number) => new Date(start + second * 1000).toISOString();
const header = (timeout: number, slow = 1) =>
  `# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=${timeout}s slow=${slow}s expect=200\n`;
const settings = { intervalSeconds: 1, timeoutSeconds: 2, slowSeconds: 1, expect: 200 };

/** What may happen in the seconds of a log; each returns its lines and how many seconds it takes. */
const pieces: Readonly<Record<string, (second: number, size: number) => readonly [text: string, seconds: number]>> = {
  good: (second, size) => [goodLines(second, size), size],
  both: (second, size) => [
    Array.from(
      { length: size },
      (_, i) => `${iso(second + i)} 200 0.0${10 + (i % 80)}\n${iso(second + i)} 200 0.002 connection=reused\n`,
    ).join(''),
    size,
  ],
  bad: (second, size) => [
    Array.from({ length: size % 4 }, (_, i) => `${iso(second + i)} 503 0.004 dns=0.000\n`).join(''),
    size % 4,
  ],
  slow: (second) => [`${iso(second)} 200 1.204\n`, 1],
  late: (second) => [`${goodLines(second + 1, 2)}${iso(second)} 000 2.000 error=timeout\n`, 3],
  gap: (_second, size) => ['', size % 9],
  missed: (second, size) => [`# missed ${1 + (size % 3)} from=${iso(second)} reason=event-loop\n`, 1 + (size % 3)],
  stall: (second) => [`# stall 0.900 from=${iso(second)}\n${iso(second)} 200 1.500\n`, 1],
  back: (_, size) => [`# clock-step -${size % 5}.000\n`, -(size % 5)],
  ahead: () => ['# clock-step 3.000\n', 3],
  unnoticed: (second) => [goodLines(second - 30, 2), 0],
  restart: (second) => [`# end at=${iso(second)}\n${header(2)}`, 2],
  other: () => [header(4, 2), 1],
  torn: (second) => [`${iso(second)} 200 0.0 torn=yes\n`, 0],
  rubbish: () => ['Killed\n', 0],
};
const goodLines = (second: number, size: number) =>
  Array.from({ length: size }, (_, i) => `${iso(second + i)} 200 0.0${10 + ((i * 7) % 90)}\n`).join('');

const logs = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(pieces)), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 14,
  })
  .map((list) => {
    let second = 0;
    let text = header(2);
    for (const [name, size] of list) {
      const [lines, seconds] = pieces[name]?.(second, size) ?? ['', 0];
      text += lines;
      second += seconds;
    }
    return text;
  });

/** Everything that a meter and the latencies make of a log. */
function measured(
  into: (reader: ReturnType<typeof judgedReader>) => void,
  window: { from?: number; to?: number } = {},
) {
  const meter = downtimeMeter({ intervalSeconds: 1, ...window });
  const latency = latencyCounter();
  let runs = 0;
  const listener: JudgedListener = {
    part: ({ intervalSeconds }) => meter.interval(intervalSeconds),
    sample: (sample, kind) => {
      if (sample.extra.connection !== 'new') return;
      meter.add(sample, kind);
      if (sample.unknownTicks === 0) latency.add(sample.millis);
    },
    clockStep: () => {},
    quiet: (run) => {
      runs += 1;
      meter.addQuiet(run);
      for (let i = 0; i < run.latencies.length; i += 2) latency.add(run.latencies[i] as number, run.latencies[i + 1]);
      return true;
    },
  };
  const reader = judgedReader(listener);
  into(reader);
  reader.end();
  return { runs, measured: { downtime: meter.end(), latency: latency.end() } };
}

/** The log as its quiet runs and the lines between them, found in parts of it that are cut anywhere. */
async function inParts(bytes: Buffer, cuts: readonly number[]) {
  const borders = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  const find = pieceFinder(await bytesFile(bytes), settings);
  const pieces: LogPiece[] = [];
  for (const [index, fromByte] of borders.slice(0, -1).entries())
    pieces.push(...(await find({ path: '', fromByte, toByte: borders[index + 1] ?? bytes.length })));
  return measured((reader) => {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) reader.push(piece);
      else if (!reader.quiet(piece)) reader.push(bytes.subarray(piece.fromByte, piece.toByte));
    }
  });
}

/** As a file does, it uses its memory again. */
async function bytesFile(bytes: Buffer): Promise<OpenFile> {
  const buffer = Buffer.alloc(bytes.length);
  return {
    read: async (fromByte, toByte) => buffer.subarray(0, bytes.copy(buffer, 0, fromByte, toByte)),
    close: async () => undefined,
  };
}

test('a log that is split anywhere, and whose quiet runs are taken at once, gives the same as all its lines one by one', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(logs, fc.array(fc.nat(20_000), { maxLength: 4 }), async (text, cuts) => {
      const bytes = Buffer.from(text);
      const whole = measured((reader) => reader.push(bytes));
      const split = await inParts(bytes, cuts);
      taken += split.runs;
      assert.deepEqual(split.measured, whole.measured);
    }),
    { numRuns: 400 },
  );
  assert.ok(taken > 100, `${taken} quiet runs were taken`);
});

test('analyze says the same of a log whatever window is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(
      logs,
      fc.option(fc.nat(300), { nil: undefined }),
      fc.option(fc.nat(300), { nil: undefined }),
      async (text, from, to) => {
        const files = memoryFiles();
        await files.replace('log', text);
        // A header that names two targets keeps the lines from being quiet.
        await files.replace('slowly', text.replaceAll(' interval=', ' target=http://other.example/ interval='));
        const window = {
          ...(from === undefined ? {} : { from: start + from * 1000 }),
          ...(to === undefined ? {} : { to: start + to * 1000 }),
        };
        const said = (path: string) =>
          analyze(files, path, window).catch((error: Error) => error.message.replace(path, ''));
        const [quick, slow] = [await said('log'), await said('slowly')];
        if (typeof quick === 'string' || typeof slow === 'string') return assert.equal(quick, slow);
        const [first] = slow.targets ?? [];
        assert.deepEqual(quick.latency, slow.latency);
        assert.equal(quick.log.samples, first?.samples);
        assert.deepEqual(quick.downtime, first?.downtime);
        assert.deepEqual(
          quick.outages.map(({ from: began }) => began),
          slow.outages.map(({ from: began }) => began),
        );
      },
    ),
    { numRuns: 200 },
  );
});
