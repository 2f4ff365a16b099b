import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paint } from '../../../src/cli/command/text.ts';
import { targetsFrame } from '../../../src/cli/runs/targets-frame.ts';

const plain = paint(false);
const settings = { intervalSeconds: 1, timeoutSeconds: 10 };

test('of several targets the one that is down stands first, with for how long and how much so far', () => {
  const frame = targetsFrame(['http://a/', 'http://b/', 'http://c/'], settings);
  for (let second = 0; second < 20; second++) {
    frame.take('http://a/', 1000 * second, undefined);
    frame.take('http://b/', 1000 * second, second === 5 ? '503' : undefined);
    frame.take('http://c/', 1000 * second, second < 8 ? undefined : 'refused');
  }
  assert.deepEqual(frame.lines(20_000, 80, plain), [
    '✗ http://c/  down for 12 s, downtime so far 11.0–13.0 s',
    '✓ http://b/  downtime so far 0.0–2.0 s',
    '✓ http://a/  no downtime so far',
  ]);
});

test('no more lines than fit, and whether one of the rest is down', () => {
  const urls = Array.from({ length: 20 }, (_, index) => `http://${index}.example/`);
  const frame = targetsFrame(urls, settings);
  for (const url of urls) frame.take(url, 0, undefined);
  assert.equal(frame.lines(1000, 80, plain).at(-1), 'and 12 more, none of them down');
  for (const url of urls) frame.take(url, 1000, '503');
  const lines = frame.lines(2000, 40, plain);
  assert.equal(lines.at(-1), 'and 12 more, 12 of them down');
  assert.ok(lines.length === 9 && lines.every((line) => line.length <= 62), lines.join('\n'));
});
