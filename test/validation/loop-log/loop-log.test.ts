import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopLog } from '../../../src/validation/loop-log/loop-log.ts';
import type { LoopSample } from '../../../src/validation/loop-log/loop-sample.ts';

const AT = Date.parse('2026-11-21T01:25:47Z');

function read(...lines: readonly string[]): readonly Omit<LoopSample, 'zoneless'>[] {
  const samples: Omit<LoopSample, 'zoneless'>[] = [];
  const loop = loopLog({ sample: ({ zoneless: _, ...sample }) => samples.push(sample), unread: () => {} });
  lines.forEach(loop.line);
  loop.end();
  return samples;
}
const answered = (second: number, status: number, millis: number): Omit<LoopSample, 'zoneless'> => ({
  at: AT + second * 1000,
  fine: false,
  result: { status, millis },
});

test('date and result are read on one line and on two', () => {
  assert.deepEqual(read('Sat Nov 21 01:25:47 UTC 2026 200 0.012345'), [answered(0, 200, 12)]);
  assert.deepEqual(read('Sat Nov 21 01:25:47 UTC 2026', '503 1.2', '2026-11-21T01:25:48Z', '000 10.000'), [
    answered(0, 503, 1200),
    answered(1, 0, 10_000),
  ]);
});

test('the specification’s loop, whose results end without a newline, is read', () => {
  const results = ['200 0.003081', '503 0.000412', '000 2.001337'];
  const dates = (second: number) => [
    `Sat Nov 21 17:53:0${second} UTC 2026`,
    `2026-11-21T17:53:0${second}+00:00`,
    `${Date.parse('2026-11-21T17:53:00Z') / 1000 + second}`,
  ];
  const expected = results.map((result, second) => ({
    at: Date.parse(`2026-11-21T17:53:0${second}Z`),
    fine: false,
    result: { status: Number(result.slice(0, 3)), millis: Math.round(Number(result.slice(4)) * 1000) },
  }));
  for (const form of [0, 1, 2])
    for (const between of ['\n', ' ']) {
      const text = results.map((result, second) => `${dates(second)[form]}${between}${result}`).join('');
      assert.deepEqual(read(...text.split('\n')), expected, text);
    }
});

test('a log on one line is read', () => {
  const text = Array.from({ length: 20_000 }, () => '2026-11-21T01:25:47Z 200 0.012345').join('');
  const samples = read(text);
  assert.deepEqual([samples.length, samples[0], samples.at(-1)], [20_000, answered(0, 200, 12), answered(0, 200, 12)]);
});

test('a time with more decimals than curl writes is one number, even if ten of them look like a date', () => {
  assert.deepEqual(read('2026-11-21T01:25:47Z 200 0.2503817081451416'), [answered(0, 200, 250)]);
  assert.deepEqual(read('2026-11-21T01:25:47Z', '200 0.2503817081451416'), [answered(0, 200, 250)]);
  assert.deepEqual(read('200 0.2503817081451416', '2026-11-21T01:25:47Z 200 0.012345'), [answered(0, 200, 12)]);
});

test('a sample in an ambiguous or unknown time zone is refused with advice; a line without a result is ignored in any zone', () => {
  for (const lines of [['Sat Nov 21 01:25:47 IST 2026 200 0.012'], ['2026-11-21 01:25:47 IST', '200 0.012']])
    assert.throws(() => read(...lines), /time zone IST in it is ambiguous or unknown: .* s\/IST\/\+0530\//);
  assert.deepEqual(read('2026-11-21 01:25:46 START', '2026-11-21T01:25:47Z 200 0.012').at(-1), answered(0, 200, 12));
});

test('a result is read with any words and punctuation around it', () => {
  for (const words of [
    'HTTP: 200 Time: 0.012',
    'code=200 time=0.012s',
    '200,0.012',
    '[200] 0.012',
    'HTTP 200 in 0.012 s',
    'status:200 total:0,012',
  ])
    assert.deepEqual(read(`2026-11-21T01:25:47Z ${words}`), [answered(0, 200, 12)], words);
});

test('a date that no result follows is a request without a result', () => {
  const lines = ['2026-11-21T01:25:47Z', '2026-11-21T01:25:48Z', '200 0.012'];
  assert.deepEqual(read(...lines), [{ at: AT, fine: false }, answered(1, 200, 12)]);
});

test("curl's error messages, results without a date and other lines are ignored", () => {
  const lines = [
    'starting',
    '200 0.5',
    '2026-11-21T01:25:47Z',
    'curl: (7) Failed to connect to 10.0.0.7 port 80 after 3 ms',
    '000 0.003',
  ];
  assert.deepEqual(read(...lines), [answered(0, 0, 3)]);
});

test('a log whose newest line is the first is refused', () => {
  const lines = Array.from({ length: 20 }, (_, second) => `2026-11-21T01:25:${59 - second}Z 200 0.012`);
  assert.throws(() => read(...lines), /its newest line is the first\. turn its lines round, as with tac/);
  assert.equal(read(...lines.toReversed()).length, 20);
});
