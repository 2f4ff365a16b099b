import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCpuMeter } from '../../src/machines/cpu-meter.ts';

const at = Date.parse('2026-01-01T00:00:00Z');

test('a scrape has the average CPU usage of the last complete interval of 15 seconds', () => {
  let now = at;
  const meter = createCpuMeter(() => now, 15);
  const lastScrape = () => {
    const { endedAt, rate } = meter.lastScrape();
    return [(endedAt - at) / 1000, rate('a').toFixed(3), rate('b').toFixed(3)];
  };
  meter.spend('a', 1.5);
  now = at + 14_999;
  meter.spend('a', 1.5);
  assert.deepEqual(lastScrape(), [0, '0.001', '0.001'], 'not over yet');
  now = at + 15_000;
  meter.spend('b', 3);
  assert.deepEqual(lastScrape(), [15, '0.201', '0.001']);
  now = at + 30_000;
  assert.deepEqual(lastScrape(), [30, '0.001', '0.201']);
  now = at + 90_000;
  assert.deepEqual(lastScrape(), [90, '0.001', '0.001'], 'nothing in the scrapes between');
});

test('what takes longer than an interval is spent evenly while it lasts, also where it began earlier', () => {
  let now = at + 5000;
  const meter = createCpuMeter(() => now, 15);
  meter.spend('a', 6, { from: at + 10_000, to: at + 40_000 });
  const rates = [15, 30, 45, 60].map((seconds) => {
    now = at + 1000 * seconds;
    return meter.lastScrape().rate('a').toFixed(3);
  });
  assert.deepEqual(rates, ['0.068', '0.201', '0.134', '0.001']);
});
