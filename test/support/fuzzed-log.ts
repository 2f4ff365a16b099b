import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UsageError } from '../../src/host/errors.ts';
import { memoryFiles } from '../../src/host/memory-files.ts';
import { analyze } from '../../src/validation/downtime/analyze.ts';

const start = Date.parse('2026-11-20T10:00:00.203Z');
const seconds = 120;
const iso = (second: number) => new Date(start + second * 1000).toISOString();
const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200';

const words = [
  'error=timeout',
  'error=nonsense',
  'body=no',
  'unread=yes',
  'again=yes',
  'connection=reused',
  'torn=yes',
  'target=http://app.example/',
  'target=x',
  '=',
  'a=b=c',
  'dns=NaN',
];
const facts = [
  'missed 3',
  'missed -1',
  'missed x',
  'unknown 1',
  'stall 2.000',
  'stall -5',
  'stall 1e9',
  'clock-step -30.000',
  'clock-step 30.000',
  'clock-step NaN',
  'end',
  'nothing',
];
const junk: fc.Arbitrary<(second: number) => string> = fc.oneof(
  fc.string({ maxLength: 60, unit: 'binary' }).map((text) => () => text.replaceAll('\n', ' ')),
  fc
    .constantFrom(...facts)
    .map((fact) => (second: number) => `# ${fact} from=${iso(second)} at=${iso(second)} reason=x`),
  fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 0, max: 999 }), fc.subarray(words)).map(
    ([shift, status, some]) =>
      (second: number) =>
        [iso(second + shift), String(status).padStart(3, '0'), '0.004', ...some].join(' '),
  ),
  fc
    .constantFrom(
      header,
      `${header} continues=yes`,
      '# holdfast downtime-log 1',
      header.replace('interval=1s', 'interval=-1s'),
    )
    .map((line) => () => line),
  fc
    .constantFrom(
      '',
      '\r',
      '\0'.repeat(50),
      'x'.repeat(20_000),
      '2026-11-20T10:00',
      '2026-13-45T99:99:99.999Z 200 0.001',
    )
    .map((line) => () => line),
);

/**
 * Two minutes of a log: seconds with a good sample, seconds without one, and lines that nobody should write, cut off
 * somewhere.
 */
export const fuzzedLog: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.boolean(), { minLength: seconds, maxLength: seconds }),
    fc.array(fc.tuple(fc.nat(seconds), junk), { maxLength: 12 }),
    fc.nat(3),
    fc.boolean(),
  )
  .map(([there, junks, cut, hasHeader]) => {
    const lines = there.flatMap((sampled, second) => [
      ...junks.filter(([at]) => at === second).map(([, line]) => line(second)),
      ...(sampled ? [`${iso(second)} 200 0.004`] : []),
    ]);
    const text = `${[...(hasHeader ? [header] : []), ...lines].join('\n')}\n`;
    return cut === 0 ? text.slice(0, Math.floor(text.length * 0.7)) : text;
  });

/**
 * Analyzes the log for a window of its two minutes: bad, unknown and good ticks together are the whole window, so that
 * no tick is up for which there is no line.
 */
export async function neverUpWithoutASample(text: string): Promise<void> {
  const files = memoryFiles();
  await files.replace('downtime.log', text);
  const window = { from: start, to: start + seconds * 1000 };
  const analysis = await analyze(files, 'downtime.log', window).catch((error: unknown) => {
    if (error instanceof UsageError) return undefined;
    throw error;
  });
  if (analysis === undefined) return;
  const { log, downtime, outages } = analysis;
  const written = text.split('\n').filter((line) => /^\S+Z \d{3} \d+\.\d{3}/.test(line)).length;
  assert.ok(log.samples <= written, `${log.samples} samples of ${written} lines`);
  const numbers = [
    downtime.seconds,
    downtime.lowerSeconds,
    downtime.upperSeconds,
    ...outages.flatMap((one) => [one.seconds, one.lowerSeconds, one.upperSeconds]),
  ];
  for (const number of numbers) assert.ok(Number.isFinite(number) && number >= 0, `${numbers}`);
  for (const { lowerSeconds, seconds: length, upperSeconds } of outages)
    assert.ok(lowerSeconds <= length && length <= upperSeconds, `${lowerSeconds} ${length} ${upperSeconds}`);
  // Of a log with a monitor's interval each second is sampled or unknown, but for those by which it says that its clock
  // was set ahead.
  const setSeconds = (log.clockSteps ?? []).reduce((sum, step) => sum + Math.max(0, step.seconds), 0);
  if (log.format === 'holdfast' && log.intervalSeconds === 1)
    assert.ok(
      log.samples + log.unknown >= (seconds - setSeconds) / 1.5 - 1,
      `${log.samples} samples and ${log.unknown} unknown`,
    );
}
