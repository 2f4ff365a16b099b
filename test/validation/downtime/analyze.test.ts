import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../../src/host/errors.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import { type Analysis, analyze } from '../../../src/validation/downtime/analyze.ts';
import type { AnalyzeSettings } from '../../../src/validation/downtime/measure-log.ts';
import { withSpanOf } from '../../../src/validation/window-downtime.ts';
import { assertConforms } from '../../support/schema.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HEADER = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
const START = Date.parse('2026-11-20T10:00:00.203Z');
const at = (second: number) => new Date(START + second * 1000).toISOString();

/**
 * One line a second for each mark: `.` 200, `x` 503, `s` slow, `t` timeout, `b` another page, and a space for no line.
 */
const results: Record<string, string> = {
  '.': '200 0.012',
  x: '503 0.004',
  s: '200 1.500',
  t: '000 10.000 error=timeout',
  b: '200 0.012 body=no',
};
const lines = (picture: string, from = 0) =>
  [...picture].map((mark, second) => (mark === ' ' ? '' : `${at(from + second)} ${results[mark]}\n`)).join('');

async function analyzed(
  t: Pick<TestContext, 'after'>,
  text: string,
  settings: AnalyzeSettings = {},
): Promise<Analysis> {
  const path = `${temporaryFolder(t)}/downtime.log`;
  writeFileSync(path, text);
  const analysis = await analyze(nodeFiles(), path, settings);
  const episodes = analysis.episodes.map(withSpanOf);
  assertConforms('analyze', JSON.parse(JSON.stringify({ ...analysis, episodes })));
  return analysis;
}
const bounds = ({ outages }: Analysis) =>
  outages.map(({ lowerSeconds, seconds, upperSeconds }) => [lowerSeconds, seconds, upperSeconds]);

test('analyze gives the outages of a downtime log, their bounds and kinds, and the latency', async (t) => {
  const analysis = await analyzed(t, HEADER + lines('...xtb...s...'));
  assert.deepEqual(analysis, {
    schemaVersion: 1,
    log: { format: 'holdfast', intervalSeconds: 1, from: at(0), to: at(12), samples: 13, unknown: 0 },
    downtime: {
      seconds: 4,
      lowerSeconds: 0,
      upperSeconds: 13,
      slowSeconds: 1,
      span: { seconds: 7, lowerSeconds: 6, upperSeconds: 13 },
      share: { part: 0.571, lower: 0.25, upper: 0.842 },
      partial: { spanSeconds: 7, lowerSeconds: 6, upperSeconds: 13, share: 0.571, shareLower: 0.25, shareUpper: 0.842 },
    },
    outages: [
      {
        from: at(3),
        to: at(6),
        seconds: 3,
        lowerSeconds: 2,
        upperSeconds: 4,
        samples: 3,
        kinds: ['503', 'timeout', 'body'],
        scenario: null,
      },
      {
        from: at(9),
        to: at(10),
        seconds: 1,
        lowerSeconds: 0,
        upperSeconds: 2,
        samples: 1,
        kinds: ['slow'],
        scenario: null,
      },
    ],
    episodes: [
      {
        from: at(3),
        to: at(10),
        spanSeconds: 7,
        lowerSeconds: 6,
        upperSeconds: 13,
        badSeconds: 4,
        slowSeconds: 1,
        outages: 2,
        samples: 4,
        share: 0.571,
        shareLower: 0.25,
        shareUpper: 0.842,
        kinds: ['503', 'timeout', 'body', 'slow'],
      },
    ],
    latency: { p50: 0.012, p90: 0.012, p99: 1.5, max: 1.5 },
    availability: { lower: 0, upper: 100 },
    unread: { lines: 0, ofLines: 13, first: null },
    columns: ['time', 'status', 'total'],
  });
});

test('the slow limit and the expected status come from the log, or from the settings', async (t) => {
  const own = HEADER.replace('slow=1s', 'slow=2s').replace('expect=200', 'expect=503');
  assert.deepEqual(
    (await analyzed(t, own + lines('xxs.xx'))).outages.map(({ kinds }) => kinds),
    [['200']],
  );
  const text = HEADER + lines('..s.x.');
  assert.deepEqual(
    (await analyzed(t, text, { slowSeconds: 2 })).outages.map(({ kinds }) => kinds),
    [['503']],
  );
  assert.equal((await analyzed(t, text, { expect: 503, slowSeconds: 2 })).outages.length, 2);
});

test('lines in any order within the timeout give the same result', async (t) => {
  const probes = fc.array(fc.constantFrom('.', 'x', 't'), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(probes, fc.infiniteStream(fc.nat(9)), async (marks, delays) => {
      const inOrder = marks.map((mark, second) => lines(mark, second));
      const late = inOrder.map((line, second) => ({ line, endsAt: second + delays.next().value }));
      const shuffled = late.toSorted((a, b) => a.endsAt - b.endsAt).map(({ line }) => line);
      assert.deepEqual(await analyzed(t, HEADER + shuffled.join('')), await analyzed(t, HEADER + inOrder.join('')));
    }),
    { numRuns: 60 },
  );
});

test('only samples on new connections count', async (t) => {
  const reused = [...'xxxx'].map((_, second) => `${at(second)} 503 0.004 connection=reused\n`).join('');
  const analysis = await analyzed(t, HEADER + reused + lines('....'));
  assert.deepEqual([analysis.outages.length, analysis.log.samples], [0, 4]);
});

test('torn lines, other # lines and unknown keys are ignored', async (t) => {
  const text = `${HEADER}# a remark\n${lines('..x')}${at(3)} 503 0.004 colour=blue later\n${lines('.', 4)}\n\n${at(5)} 200 0.0 torn=yes\n${HEADER}${lines('..', 5)}${at(7)} 503 0.0`;
  assert.deepEqual(bounds(await analyzed(t, text)), [[1, 2, 3]]);
});

test('a missed tick is unknown, never up', async (t) => {
  const missed = `# missed 4 from=${at(3)} reason=event-loop\n`;
  const analysis = await analyzed(t, `${HEADER}${lines('..x')}${missed}${lines('x..', 7)}`);
  assert.deepEqual(bounds(analysis), [[0, 6, 7]]);
  assert.equal(analysis.log.unknown, 4);
  const silent = await analyzed(t, HEADER + lines('..x    x..'));
  assert.deepEqual(
    [bounds(silent), silent.log.unknown],
    [bounds(analysis), 4],
    'the same when the monitor could not even say so',
  );
});

test('a probe whose end was not awaited is unknown', async (t) => {
  const unknown = `# unknown 1 from=${at(3)} reason=stopped\n# unknown 1 from=${at(2)} reason=stopped connection=reused\n`;
  const analysis = await analyzed(t, `${HEADER}${lines('..x')}${unknown}# end at=${at(3.5)}\n`);
  assert.equal(analysis.log.unknown, 1);
  assert.deepEqual(bounds(analysis), [[0, 1, 3]]);
});

test('a sample that was slow only because the monitor did not run is unknown; one that was slow anyway is bad', async (t) => {
  const stall = `# stall 1.300 from=${at(1.1)}\n`;
  const slow = (seconds: string) => `${at(1)} 200 ${seconds}\n`;
  const only = await analyzed(t, `${HEADER}${lines('.')}${stall}${slow('1.400')}${lines('..', 2)}`);
  assert.deepEqual([only.outages.length, only.log.unknown], [0, 1]);
  const anyway = await analyzed(t, `${HEADER}${lines('.')}${stall}${slow('2.400')}${lines('..', 2)}`);
  assert.deepEqual([anyway.outages.length, anyway.log.unknown], [1, 0]);
  const refused = await analyzed(
    t,
    `${HEADER}${lines('.')}${stall}${at(1)} 000 1.400 error=refused\n${lines('..', 2)}`,
  );
  assert.equal(refused.outages.length, 1);
});

test('a clock that is set during an outage makes it neither shorter nor longer, and the analysis says when it was set', async (t) => {
  const back = await analyzed(t, `${HEADER}${lines('..xx')}# clock-step -3600.000\n${lines('xx..', 4 - 3600)}`);
  assert.deepEqual([bounds(back), back.log.clockSteps], [[[3, 4, 5]], [{ at: at(3), seconds: -3600 }]]);
  const ahead = await analyzed(t, `${HEADER}${lines('..xx')}# clock-step 3600.000\n${lines('xx..', 4 + 3600)}`);
  assert.deepEqual([bounds(ahead), ahead.log.clockSteps], [[[3, 4, 5]], [{ at: at(3), seconds: 3600 }]]);
  assert.equal(back.log.unknown + ahead.log.unknown, 0);
});

test('an outage in which the clock was set ahead has the new times, and one before it its own', async (t) => {
  const text = `${HEADER}${lines(`..x..${'x'.repeat(20)}`)}# clock-step 60.000\n${lines('xx..', 85)}`;
  const { outages, log } = await analyzed(t, text);
  assert.deepEqual(
    outages.map(({ from, to }) => [from, to]),
    [
      [at(2), at(3)],
      [at(65), at(87)],
    ],
  );
  assert.deepEqual([bounds({ outages } as Analysis)[1], log.unknown], [[21, 22, 23], 0]);
});

test('a probe under way when the clock was set ahead stands between the samples beside which it began', async (t) => {
  const late = `# clock-step 3.000\n${at(4 + 3)} 000 5.000 error=timeout\n`;
  const analysis = await analyzed(t, `${HEADER}${lines('.... ..')}${late}${lines('....', 10)}`);
  assert.deepEqual([bounds(analysis), analysis.outages[0]?.from], [[[0, 1, 2]], at(4)]);
});

test('no time is negative where the lines contradict the step of the clock before them', async (t) => {
  const text = `${HEADER}${lines('....x')}# clock-step 60.000\n${HEADER}${lines('..', 50)}`;
  assert.deepEqual(bounds(await analyzed(t, text)), [[0, 0, 1]]);
});

test('a clock that is set ahead over the end of the window leaves what was open where it was', async (t) => {
  const text = `${HEADER}${lines('....x')}# clock-step 60.000\n${lines('..', 65)}`;
  const window = { from: Date.parse(at(0)), to: Date.parse(at(10)) };
  const analysis = await analyzed(t, text, window);
  assert.deepEqual([bounds(analysis), analysis.log.unknown], [[[0, 1, 7]], 5]);
});

test('a clock that was set back and right again has its own times afterwards, and nothing is missing', async (t) => {
  const away = `# clock-step -60.000\n${lines('....', 20 - 60)}# clock-step 60.000\n`;
  const analysis = await analyzed(t, `${HEADER}${lines('.'.repeat(20))}${away}${lines('..xx..', 24)}`);
  assert.deepEqual(
    analysis.outages.map(({ from }) => from),
    [at(26)],
  );
  assert.deepEqual([bounds(analysis), analysis.log.unknown, analysis.log.to], [[[1, 2, 3]], 0, at(29)]);
  const part = await analyzed(t, `${HEADER}${lines('.'.repeat(20))}${away}${lines('..xx..', 24)}`, {
    from: Date.parse(at(20)),
  });
  assert.deepEqual(part.log.clockSteps, [{ at: at(23), seconds: 60 }]);
});

test('a clock that was set back without a clock-step line hides no outage', async (t) => {
  const analysis = await analyzed(t, `${HEADER}${lines('....')}${HEADER}${lines('.xx..', -3600)}`);
  assert.deepEqual(bounds(analysis), [[1, 2, 3]]);
});

test('the time between two monitors is unknown, and each part is read with its own settings', async (t) => {
  const second = HEADER.replace('interval=1s', 'interval=2s').replace('slow=1s', 'slow=3s');
  const slower = [0, 2, 4].map((second) => lines('s', 20 + second)).join('');
  const analysis = await analyzed(t, `${HEADER}${lines('..x')}${second}${slower}`);
  assert.deepEqual(bounds(analysis), [[0, 18, 20.5]]);
  assert.equal(analysis.log.unknown, 8);
});

test('each of several targets has its outages and its downtime, and there is a sum', async (t) => {
  const header = HEADER.replace('target=http://app.example/', 'target=http://a/ target=http://b/');
  const text = [0, 1, 2, 3].map(
    (second) =>
      `${at(second)} ${second === 1 ? 503 : 200} 0.004 target=http://a/\n${at(second + 0.5)} ${second === 2 ? '503' : '200'} 0.004 target=http://b/\n`,
  );
  const analysis = await analyzed(t, `${header}${text.join('')}`);
  assert.deepEqual(
    analysis.outages.map(({ target, from }) => [target, from]),
    [
      ['http://a/', at(1)],
      ['http://b/', at(2.5)],
    ],
  );
  assert.deepEqual([analysis.downtime.seconds, analysis.log.samples, analysis.log.unknown], [2, 8, 0]);
  const span = { seconds: 1, lowerSeconds: 0, upperSeconds: 2 };
  const each = { samples: 4, unknown: 0, downtime: { ...span, slowSeconds: 0, span } };
  assert.deepEqual(analysis.downtime.span, { seconds: 2, lowerSeconds: 0, upperSeconds: 4 });
  assert.deepEqual(analysis.targets, [
    { target: 'http://a/', ...each },
    { target: 'http://b/', ...each },
  ]);
  assert.equal((await analyzed(t, `${HEADER}${lines('..')}`)).targets, undefined);
});

test('only the samples of a time window count', async (t) => {
  const text = HEADER + lines('x...xx...x');
  const part = await analyzed(t, text, { from: Date.parse(at(1)), to: Date.parse(at(8)) });
  assert.deepEqual(bounds(part), [[1, 2, 3]]);
  await assert.rejects(analyzed(t, text, { from: Date.parse(at(50)) }), /has no samples in that time/);
});

test('a log with CRLF line ends gives the same result', async (t) => {
  const text = `${HEADER}${lines('..xtb..s..')}# missed 3 from=${at(10)} reason=event-loop\n${lines('..', 13)}`;
  assert.deepEqual(await analyzed(t, text.replaceAll('\n', '\r\n')), await analyzed(t, text));
});

test('only the part from a byte on counts, from its first sample to its last', async (t) => {
  const [first, second] = [HEADER + lines('.x'), HEADER + lines('xx.x', 100)];
  const fromByte = Buffer.byteLength(first);
  assert.deepEqual(await analyzed(t, first + second, { fromByte }), await analyzed(t, second));
});

test('the time of the log is the wanted one, all of which counts', async (t) => {
  const text = HEADER + lines('....');
  const wanted = { from: Date.parse(at(0)) - 60_000, to: Date.parse(at(3)) + 60_000 };
  const { log } = await analyzed(t, text, wanted);
  assert.deepEqual([Date.parse(log.from), Date.parse(log.to)], [wanted.from, wanted.to]);
  assert.ok(log.unknown > 110, `${log.unknown} unknown`);
  const { log: all } = await analyzed(t, text);
  assert.deepEqual([all.from, all.to, all.unknown], [at(0), at(3), 0]);
});

test('times of a loop that go back are told as a clock that was set', async (t) => {
  const line = (second: number, status: number) => `2026-11-20T10:00:${second} ${status} 0.010\n`;
  const part = (status: number) => Array.from({ length: 40 }, (_, index) => line(index + 10, status)).join('');
  const { log, downtime } = await analyzed(t, part(200) + part(503));
  assert.deepEqual(log.clockSteps, [{ at: '2026-11-20T10:00:49.000Z', seconds: -39 }]);
  assert.ok(downtime.seconds >= 39, `${downtime.seconds}`);
});

test("a curl loop's log in an ambiguous time zone is a usage error that says what to write", async (t) => {
  const text = 'Fri Nov 20 10:00:00 IST 2026 200 0.010\n';
  const mistake = (error: unknown) => error instanceof UsageError && /cannot be read: .*zone IST/.test(error.message);
  await assert.rejects(analyzed(t, text), mistake);
  const { log } = await analyzed(t, text.replace('IST', '+0530'));
  assert.deepEqual([log.from, log.resolutionSeconds], ['2026-11-20T04:30:00.000Z', 1]);
});

test('a file that is no log, has no samples or cannot be read is a usage error in one sentence', async (t) => {
  const mistake = (expected: RegExp) => (error: unknown) =>
    error instanceof UsageError && error.mistakes.length === 1 && expected.test(error.message);
  await assert.rejects(analyzed(t, 'root:x:0:0:root:/root:/bin/bash\n'), mistake(/is not a downtime log/));
  await assert.rejects(analyzed(t, '\u0000\u0001\n'.repeat(1000)), mistake(/is not a downtime log/));
  await assert.rejects(analyzed(t, ''), mistake(/is not a downtime log/));
  await assert.rejects(analyzed(t, HEADER), mistake(/has no samples/));
  await assert.rejects(analyzed(t, HEADER.replace('downtime-log 1', 'downtime-log 9')), mistake(/version 9/));
  await assert.rejects(
    analyze(nodeFiles(), '/no/such/log'),
    mistake(/^\/no\/such\/log cannot be read: no such file or folder/),
  );
  await assert.rejects(analyze(nodeFiles(), '/tmp'), mistake(/cannot be read: it is a folder/));
});

const date = (second: number) =>
  new Date(Math.floor((START + second * 1000) / 1000) * 1000).toISOString().replace('.000Z', 'Z');

test('the interval of a curl loop is the median gap, and a hang counts with its duration', async (t) => {
  const starts = [0, 1, 2, 3, 4, 5, 16, 27, 28, 29, 30];
  const text = starts
    .map((second) => `${date(second)} ${second === 5 || second === 16 ? '000 10.000' : '200 0.012'}\n`)
    .join('');
  const { log, downtime } = await analyzed(t, text);
  assert.deepEqual([log.format, log.intervalSeconds, log.samples], ['curl', 1, 11]);
  assert.equal(downtime.seconds, 22, 'two bad lines, but not 2 s');
  assert.equal(downtime.upperSeconds, 24);
  assert.equal(log.unknown, 20, 'the ticks during the hang');
});

test("a curl loop's log is read with its samples on two lines, with labels, in whole seconds and with curl's errors", async (t) => {
  const text = [0, 1, 2, 3, 4].flatMap((second) => [
    `Fri Nov 20 10:00:0${second} UTC 2026`,
    second === 2 ? 'curl: (7) Failed\nHTTP: 000 Time: 0.003' : 'HTTP: 200 Time: 0.012',
  ]);
  const { log, outages } = await analyzed(t, `${text.join('\n')}\n`);
  assert.deepEqual([log.format, log.intervalSeconds, log.samples], ['curl', 1, 5]);
  assert.deepEqual(
    outages.map(({ from, kinds, lowerSeconds, seconds, upperSeconds }) => [
      from,
      kinds,
      lowerSeconds,
      seconds,
      upperSeconds,
    ]),
    [['2026-11-20T10:00:02.000Z', ['000'], 0, 1, 3]],
  );
});

test('a request of a curl loop without a result is unknown', async (t) => {
  const { log, outages } = await analyzed(t, `${date(0)} 200 0.012\n${date(1)}\n${date(2)} 200 0.012\n`);
  assert.deepEqual([log.samples, log.unknown, outages.length], [2, 1, 0]);
});

test('a curl loop whose interval drifts over the full second has no gap', async (t) => {
  const text = Array.from({ length: 500 }, (_, i) => `${date(i * 1.021)} 200 0.012\n`).join('');
  const { log } = await analyzed(t, text);
  assert.deepEqual([log.intervalSeconds, log.unknown], [1, 0]);
});

test('a curl loop that is faster than the resolution of its dates has the mean gap as interval', async (t) => {
  const text = Array.from({ length: 401 }, (_, i) => `${date(i * 0.25)} ${i === 200 ? 503 : 200} 0.012\n`).join('');
  const { log, outages } = await analyzed(t, text);
  assert.deepEqual([log.intervalSeconds, log.unknown, outages.length], [0.25, 0, 1]);
});

test('a long curl log is read in one pass, with the interval of its beginning', async (t) => {
  const text = Array.from({ length: 5000 }, (_, i) => `${date(i * 2)} ${i === 4000 ? 503 : 200} 0.012\n`).join('');
  const { log, outages } = await analyzed(t, text);
  assert.deepEqual([log.intervalSeconds, log.samples, outages.length, outages[0]?.seconds], [2, 5000, 1, 2]);
});

test('of several targets each has its own part, and their sum has none', async (t) => {
  const second = 'http://other.example/';
  const of = (picture: string, target = '') => lines(picture).replaceAll('\n', `${target}\n`).trim().split('\n');
  const [ours, theirs] = [of('..x.x..'), of('.......', ` target=${second}`)];
  const text =
    HEADER.replace(' interval', ` target=${second} interval`) +
    ours.flatMap((line, at) => [line, theirs[at]]).join('\n');
  const { downtime, targets = [] } = await analyzed(t, `${text}\n`);
  assert.equal(downtime.partial, undefined);
  assert.deepEqual(
    targets.map((one) => one.downtime.partial),
    [
      { spanSeconds: 3, lowerSeconds: 2, upperSeconds: 7, share: 0.667, shareLower: 0.208, shareUpper: 0.939 },
      undefined,
    ],
  );
});
