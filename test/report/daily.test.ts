import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatus } from '../../src/cli/runs/read-status.ts';
import { memoryFiles } from '../../src/host/memory-files.ts';

const header = (urls: string) => `# holdfast downtime-log 1 ${urls} interval=1m timeout=10s slow=1s expect=200\n`;
const noon = Date.parse('2026-11-20T12:00:00.000Z');

/** A line a minute, from that minute of the 20th of November on. */
const lines = (from: number, to: number, bad: (minute: number) => boolean, words = '') =>
  Array.from({ length: to - from }, (_, index) => {
    const minute = from + index;
    const at = new Date(noon + minute * 60_000).toISOString();
    return `${at} ${bad(minute) ? '503 0.004' : '200 0.012'}${words}\n`;
  }).join('');

async function statusOf(logs: Readonly<Record<string, string>>) {
  const files = memoryFiles();
  for (const [name, text] of Object.entries(logs)) await files.replace(name, text);
  return readStatus({ files }, Object.keys(logs));
}

test('an outage over midnight is in both days, and a day of which nothing was seen has no availability', async () => {
  const isBad = (minute: number) => minute >= 715 && minute < 735;
  const [status] = await statusOf({ log: header('target=http://a/') + lines(0, 1440, isBad) });
  const days = status?.days ?? [];
  assert.equal(days.length, 90);
  assert.deepEqual(
    days.slice(-2).map(({ date, downtime }) => [date, downtime.lowerSeconds, downtime.upperSeconds]),
    [
      ['2026-11-20', 300, 360],
      ['2026-11-21', 840, 900],
    ],
  );
  assert.ok(days.slice(0, -2).every(({ availability }) => availability === null));
  assert.deepEqual(status?.availability, { lower: 98.541, upper: 98.681 });
  assert.deepEqual([status?.isUp, status?.episodes.length], [true, 1]);
});

test('time without a sample may have been up or down, and a target that is down at the end is not up', async () => {
  const text = header('target=http://a/') + lines(0, 100, () => false) + lines(200, 300, (minute) => minute > 290);
  const [status] = await statusOf({ log: text });
  assert.deepEqual([status?.isUp, status?.days.at(-1)?.unknownSeconds], [false, 6060]);
  assert.ok((status?.availability?.lower ?? 100) < 70 && (status?.availability?.upper ?? 0) > 96);
});

test('targets of several logs are told apart, by their logs where the address is the same', async () => {
  const text = header('target=http://a/') + lines(0, 10, () => false);
  const two = header('target=http://b/ target=http://c/') + lines(0, 10, () => false, ' target=http://c/');
  const names = (await statusOf({ 'x.log': text, 'y.log': text, 'z.log': two })).map(({ target }) => target);
  assert.deepEqual(names.toSorted(), ['http://a/ (x.log)', 'http://a/ (y.log)', 'http://b/', 'http://c/']);
});

test('a log that is not understood makes no page', async () => {
  const text = header('target=http://a/') + lines(0, 10, () => false) + 'other text\n'.repeat(5);
  await assert.rejects(statusOf({ log: text }), /log has 5 of 15 lines that are not understood/);
});
