import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trafficIn } from '../../src/report/traffic.ts';
import type { Tick } from '../../src/validation/downtime/downtime-meter.ts';
import type { DowntimeLog } from '../../src/validation/downtime/read-downtime-log.ts';
import { at } from '../support/changes.ts';
import { richLog } from '../support/rich-run.ts';

const log = (ticks: readonly Tick[]): DowntimeLog => ({ ...richLog, ticks });
const cells = (ticks: readonly Tick[], seconds: number): string | undefined =>
  trafficIn(log(ticks), new Map([['run', { from: at(0), to: at(seconds) }]])).strips.get('run')?.cells;

test('good, slow and bad samples and unknown ticks have a letter each', () => {
  const ticks: readonly Tick[] = [
    { at: at(0.2) },
    { at: at(1.2), kind: 'slow' },
    { at: at(2.2), kind: '503' },
    { at: at(3.2), kind: 'timeout' },
    { at: at(4.2), unknownTicks: 2 },
    { at: at(6.2) },
  ];
  assert.equal(cells(ticks, 8), 'gsbbuug.');
});

test('a gap in the log is unknown, never up; the time before and after the monitor is empty', () => {
  assert.equal(cells([{ at: at(2.2) }, { at: at(3.2) }, { at: at(7.2) }, { at: at(8.2) }], 12), '..gguuugg...');
});

test('a probe that is slightly late leaves no gap', () => {
  assert.equal(cells([{ at: at(0.2) }, { at: at(1.6) }, { at: at(2.2) }], 3), 'ggg');
});

test('without a log there is no strip', () => {
  assert.deepEqual(trafficIn(undefined, new Map([['run', { from: 0, to: 1 }]])), {
    intervalSeconds: undefined,
    strips: new Map(),
  });
});

test('times in whole seconds may be two seconds apart without a gap, as for outages', () => {
  const seen = (resolutionSeconds: number) => {
    const settings = { ...richLog.settings, resolutionSeconds } as NonNullable<DowntimeLog['settings']>;
    const ticks = [0, 1, 3, 4, 7].map((seconds) => ({ at: at(seconds) }));
    const spans = new Map([['run', { from: at(0), to: at(8) }]]);
    return trafficIn({ ...richLog, settings, ticks }, spans).strips.get('run')?.cells;
  };
  assert.deepEqual([seen(0), seen(1)], ['ggugguug', 'ggggguug']);
});
