import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reportMetrics } from '../../src/report/metrics.ts';
import { anyResult } from '../support/any-result.ts';
import { richRun } from '../support/rich-run.ts';

const run = richRun();
const lines = reportMetrics(run).split('\n');
const metricOf = (name: string, labels: string): string | undefined =>
  lines
    .find((line) => line.startsWith(`holdfast_validation_${name}{`) && line.includes(labels))
    ?.split(' ')
    .at(-1);

test('the outcome of a run has its verdict, criteria, scenarios and what was not undone', () => {
  const { result } = run;
  assert.equal(metricOf('verdict', `verdict="${result.verdict}"`), '1');
  assert.equal(lines.filter((line) => /_verdict\{[^}]*\} 1$/.test(line) && !line.includes('scenario=')).length, 1);
  for (const { number, outcome } of result.criteria)
    assert.equal(metricOf('criterion_outcome', `criterion="${number}",outcome="${outcome}"`), '1');
  for (const { name, downtime } of result.scenarios) {
    const ofScenario = (metric: string) => metricOf(metric, `scenario="${name}"`);
    assert.deepEqual(
      [ofScenario('downtime_seconds'), ofScenario('downtime_slow_seconds')],
      downtime === null ? [undefined, undefined] : [downtime.seconds, downtime.slowSeconds].map(String),
    );
  }
  assert.equal(metricOf('not_undone', ''), String(result.undo.filter(({ state }) => state === 'failed').length));
  assert.equal(metricOf('finished_timestamp_seconds', ''), String(Date.parse(result.run.finishedAt ?? '') / 1000));
});

test('what was not tested has no sample', () => {
  const untested = run.result.scenarios.filter(({ verdict }) => verdict === 'not-tested');
  assert.ok(untested.length > 0);
  for (const { name } of untested)
    assert.deepEqual(
      lines.filter((line) => line.includes(`scenario="${name}"`)),
      [],
    );
});

test('of any result every line is one of the exposition format', () => {
  const line =
    /^(# (HELP|TYPE) holdfast_validation_[a-z_]+ .+|holdfast_validation_[a-z_]+\{[a-z]+="(\\.|[^"\\\n])*"(,[a-z]+="(\\.|[^"\\\n])*")*\} -?[\d.]+(e[+-]?\d+)?)$/u;
  fc.assert(
    fc.property(anyResult, (result) => {
      for (const one of reportMetrics({ facts: run.facts, result }).trimEnd().split('\n')) assert.match(one, line);
    }),
    { numRuns: 50 },
  );
});
