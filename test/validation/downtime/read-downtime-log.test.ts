import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { nodeFiles } from '../../../src/host/files.ts';
import { analyze } from '../../../src/validation/downtime/analyze.ts';
import {
  downtimeLogReader,
  downtimeWithin,
  readDowntimeLog,
} from '../../../src/validation/downtime/read-downtime-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const files = nodeFiles();
const START = Date.parse('2026-11-20T10:00:00.203Z');
const HEADER =
  '# holdfast downtime-log 1 target=http://a/ target=http://b/ interval=1s timeout=10s slow=1s expect=200\n';
const at = (second: number) => new Date(START + second * 1000).toISOString();

function logOf(t: TestContext, text: string): string {
  const path = `${temporaryFolder(t)}/downtime.log`;
  writeFileSync(path, text);
  return path;
}
const line = (second: number, status: number, more = ' target=http://a/') => `${at(second)} ${status} 0.012${more}\n`;

test('a log is read back as the ticks of its first target on new connections', async (t) => {
  const text = [
    HEADER,
    line(0, 200),
    line(0.5, 503, ' target=http://b/'),
    line(1, 503, ' connection=reused target=http://a/'),
    line(1, 503),
    '# missed 2 from=',
    at(2),
    ' reason=event-loop\n',
    line(4, 200),
    '# clock-step 0.500\n',
    line(5.5, 200),
    line(6, 2),
  ].join('');
  const log = await readDowntimeLog(files, logOf(t, text.slice(0, -10)));
  assert.deepEqual(log.ticks, [
    { at: START, millis: 12 },
    { at: START + 1000, millis: 12, kind: '503' },
    { at: START + 2000, unknownTicks: 2 },
    { at: START + 4000, millis: 12 },
    { at: START + 5500, millis: 12, clockAheadMs: 500 },
  ]);
  assert.equal(log.settings?.intervalSeconds, 1);
});

test('the downtime of a window is the same whether the whole log is read or only its end', async (t) => {
  const lines = [200, 503, 503, 200, 200, 503, 200, 200].map((status, second) => line(second, status));
  const path = logOf(t, `${HEADER}${lines.join('')}2026-11-20T10`);
  const window = { from: START + 2500, to: START + 7500 };
  const all = await readDowntimeLog(files, path);
  const whole = downtimeWithin(all, window);
  assert.deepEqual([whole.outages.length, whole.downtime.seconds, whole.downtime.samples], [1, 1, 5]);
  const fromByte = Buffer.byteLength(HEADER + lines.slice(0, 2).join(''));
  const rest = await readDowntimeLog(files, path, fromByte);
  assert.deepEqual(downtimeWithin(rest, window), whole);
  assert.deepEqual([rest.settings, rest.ticks.length], [all.settings, 6]);
  assert.deepEqual([all.toByte, rest.toByte], [0, 0].fill(Buffer.byteLength(HEADER + lines.join(''))));
  assert.equal((await readDowntimeLog(files, path, rest.toByte)).ticks.length, 0);
});

test('reading from a byte on finds the header behind # lines of the run, and reads no line of a curl loop’s log twice', async (t) => {
  const offset = '# clock-offset 0.120 uncertainty=0.050\n';
  const early = `${offset}${HEADER}${line(0, 200)}`;
  const path = logOf(t, `${early}${line(1, 200)}`);
  const rest = await readDowntimeLog(files, path, Buffer.byteLength(early));
  assert.deepEqual([rest.settings?.format, rest.ticks], ['holdfast', [{ at: START + 1000, millis: 12 }]]);
  const loop = logOf(t, [0, 1, 2].map((second) => line(second, 200, '')).join(''));
  const last = await readDowntimeLog(files, loop, 2 * Buffer.byteLength(line(0, 200, '')));
  assert.deepEqual(last.ticks, [{ at: START + 2000, millis: 12 }]);
});

test('an empty log has no settings and no samples, and a missing one is an error', async (t) => {
  const log = await readDowntimeLog(files, logOf(t, ''));
  assert.deepEqual(log, { settings: undefined, ticks: [], reused: [], toByte: 0 });
  assert.equal(downtimeWithin(log, { from: START, to: START + 60_000 }).downtime.unknown, 59);
  await assert.rejects(readDowntimeLog(files, '/no/such/log'), /no such file/);
});

test('a day of log has the same downtime as analyze gives', async (t) => {
  const marks = Array.from(
    { length: 86_400 },
    (_, second) =>
      line(second, second % 7001 < 5 ? 503 : 200) + line(second, 200, ' connection=reused target=http://a/'),
  );
  const path = logOf(t, HEADER.replace('target=http://b/ ', '') + marks.join(''));
  const { outages } = downtimeWithin(await readDowntimeLog(files, path));
  assert.equal(outages.length, 13);
  const analysis = await analyze(files, path);
  assert.deepEqual(
    analysis.outages.map(({ scenario: _, ...outage }) => outage),
    outages,
  );
});

test('of several targets the wanted one is read; what is unknown of all is unknown of it', () => {
  const log = [
    '# holdfast downtime-log 1 target=http://shop.example/ target=http://forum.example/ interval=1s timeout=10s slow=1s expect=200',
    '2026-11-20T10:00:00.000Z 200 0.010 target=http://shop.example/',
    '2026-11-20T10:00:00.500Z 503 0.010 target=http://forum.example/',
    '# missed 1 from=2026-11-20T10:00:01.000Z reason=event-loop',
    '2026-11-20T10:00:02.000Z 200 0.010 target=http://shop.example/',
    '2026-11-20T10:00:02.500Z 200 0.010 target=http://forum.example/',
    '',
  ].join('\n');
  const badOf = (target?: string) => {
    const reader = downtimeLogReader(target);
    reader.push(new TextEncoder().encode(log));
    const { ticks } = reader.end();
    return ticks.map(({ kind, unknownTicks = 0 }) => (unknownTicks > 0 ? 'unknown' : (kind ?? 'good')));
  };
  assert.deepEqual(badOf(), ['good', 'unknown', 'good']);
  assert.deepEqual(badOf('http://shop.example/'), badOf());
  assert.deepEqual(badOf('http://forum.example/'), ['503', 'unknown', 'good']);
  assert.deepEqual(badOf('http://nobody.example/'), ['unknown']);
});
