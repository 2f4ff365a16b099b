import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateWatch, endText } from '../../../src/host/probe/certificate-watch.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const hours = (count: number) => count * 3600 * 1000;

test('a certificate that ends within 14 days is reported once a day, each target’s by itself', () => {
  const told = certificateWatch();
  const at = (hour: number, endsIn: number, target = 'https://a/') =>
    told(target, { at: START + hours(hour), certificateEndsAt: START + hours(hour + endsIn) });
  assert.deepEqual(
    [at(0, 14 * 24 + 1), at(1, 14 * 24 - 1), at(2, 300), at(2, 300, 'https://b/')],
    [false, true, false, true],
  );
  assert.deepEqual([at(24, 200), at(26, 200), at(27, 200)], [false, true, false]);
  assert.equal(told('https://a/', { at: START + hours(99) }), false);
});

test('the sentence says the day and how long that is', () => {
  const inHours = (count: number) => endText(START + hours(count), START);
  assert.equal(inHours(130), 'ends 2026-11-25, in 5 days');
  assert.equal(inHours(26), 'ends 2026-11-21, in 1 day');
  assert.equal(inHours(3), 'ends 2026-11-20, within a day');
  assert.equal(inHours(-3), 'ended 2026-11-20');
});
