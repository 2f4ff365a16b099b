import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from '../../../src/host/host.ts';
import { metrics } from '../../../src/validation/monitor/metrics.ts';

const sample = (seconds: number, over: Partial<Sample> = {}): Sample => ({
  at: 0,
  status: 200,
  seconds,
  connection: 'new',
  phases: {},
  ...over,
});

test('samples are counted by target, connection and result, and their durations in buckets', () => {
  const counted = metrics();
  const target = { url: 'http://a/"\\' };
  counted.take(sample(0.004), target, undefined);
  counted.take(sample(0.3), target, undefined);
  counted.take(sample(12, { error: 'timeout' }), target, 'timeout');
  counted.take(sample(0.001, { connection: 'reused' }), target, undefined);
  const lines = counted.text().split('\n');
  const labels = 'target="http://a/\\"\\\\",connection="new"';
  for (const line of [
    `holdfast_probe_up{${labels}} 0`,
    'holdfast_probe_up{target="http://a/\\"\\\\",connection="reused"} 1',
    `holdfast_probes_total{${labels},result="good"} 2`,
    `holdfast_probes_total{${labels},result="timeout"} 1`,
    `holdfast_probe_seconds_bucket{${labels},le="0.005"} 1`,
    `holdfast_probe_seconds_bucket{${labels},le="0.5"} 2`,
    `holdfast_probe_seconds_bucket{${labels},le="10"} 2`,
    `holdfast_probe_seconds_bucket{${labels},le="+Inf"} 3`,
    `holdfast_probe_seconds_sum{${labels}} 12.304`,
    `holdfast_probe_seconds_count{${labels}} 3`,
  ])
    assert.ok(lines.includes(line), line);
});

test('every metric family has HELP and TYPE lines, and the text ends with a line end', () => {
  const text = metrics().text();
  assert.equal(text.match(/^# HELP /gm)?.length, 3);
  assert.deepEqual(text.match(/^# TYPE .*$/gm), [
    '# TYPE holdfast_probe_up gauge',
    '# TYPE holdfast_probes_total counter',
    '# TYPE holdfast_probe_seconds histogram',
  ]);
  assert.ok(text.endsWith('\n'));
});
