import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { comparison } from '../../src/report/comparison.ts';
import { comparisonRows } from '../../src/report/comparison-rows.ts';
import { comparisonText } from '../../src/report/comparison-text.ts';
import { comparisonSections } from '../../src/report/html/comparison-sections.ts';
import { sourceOf } from '../../src/report/markup.ts';
import type { RunResult, ScenarioResult } from '../../src/validation/judge/run-result.ts';
import { withSpan } from '../../src/validation/window-downtime.ts';
import { anyResult, hostileText } from '../support/any-result.ts';
import { downtime, notTestedResult, scenarioResult, tenScenarios } from '../support/results.ts';
import { richResult } from '../support/rich-run.ts';

const resultWith = (over: Readonly<Record<string, ScenarioResult>>, more: Partial<RunResult> = {}): RunResult => ({
  ...richResult,
  scenarios: tenScenarios(over),
  findings: [],
  ...more,
});
const drained = (lowerSeconds: number, upperSeconds: number, over: Partial<ScenarioResult> = {}) => ({
  'node-drain': scenarioResult('node-drain', {
    downtime: downtime({ seconds: (lowerSeconds + upperSeconds) / 2, lowerSeconds, upperSeconds }),
    ...over,
  }),
});

test('a downtime is worse or better only where the bounds of both runs do not overlap', () => {
  const changeTo = (lower: number, upper: number) =>
    comparison(resultWith(drained(3, 4)), resultWith(drained(lower, upper))).change;
  assert.equal(changeTo(4.1, 5), 'worse');
  assert.equal(changeTo(4, 5), 'same');
  assert.equal(changeTo(2, 3), 'same');
  assert.equal(changeTo(2, 2.9), 'better');
});

test('a verdict decides before the seconds, and what one run has not tested is no change', () => {
  const worse = comparison(resultWith(drained(3, 4)), resultWith(drained(0, 0, { verdict: 'fail' })));
  assert.equal(worse.scenarios.find(({ name }) => name === 'node-drain')?.change, 'worse');
  const left = resultWith({ 'node-drain': notTestedResult('node-drain') });
  const compared = comparison(resultWith(drained(3, 4)), left);
  assert.equal(compared.change, 'same');
  assert.match(compared.differences.join(), /scenarios tested: all before, scale-up/);
});

test('a node or a pod that took longer has its row, and does not make the whole worse', () => {
  const podReady = { seconds: 9, lowerSeconds: 8.9, upperSeconds: 9.1 };
  const compared = comparison(resultWith(drained(0, 0)), resultWith(drained(0, 0, { podReady })));
  assert.equal(compared.change, 'same');
  const rows = comparisonRows(compared).filter(({ change }) => change !== 'same');
  assert.deepEqual(rows, [{ cells: ['– pod ready time', '4.0 s', '9.0 s'], change: 'worse' }]);
});

test('the text says first what the whole comes to, then every scenario with both runs, and what is new', () => {
  const finding = { id: 'no-budget', severity: 'error', subject: 'nginx-pdb', expected: '', observed: 'keeps no pod' };
  const after = resultWith(drained(80, 90, { verdict: 'fail' }), { findings: [{ ...finding, advice: '' } as never] });
  const text = comparisonText(comparison(resultWith(drained(0, 0)), after));
  assert.match(text, /^WORSE: node-drain\.\n/);
  assert.match(text, /\nnode-drain +pass, 0\.0 s +fail, 80\.0–90\.0 s +worse\n/);
  assert.match(text, /\nNew: nginx-pdb: keeps no pod\n/);
  const back = comparisonText(comparison(after, resultWith(drained(0, 0))));
  assert.match(back, /^BETTER: node-drain\.\n/);
  assert.match(back, /\nGone: nginx-pdb: keeps no pod\n/);
});

/** A lower bound is never above the upper one. */
const possibleResult = anyResult.map((result) => ({
  ...result,
  scenarios: result.scenarios.map((one) => ({ ...one, downtime: one.downtime && inOrder(one.downtime) })),
}));
const inOrder = (one: NonNullable<ScenarioResult['downtime']>): NonNullable<ScenarioResult['downtime']> =>
  withSpan({
    ...one,
    lowerSeconds: Math.min(one.lowerSeconds, one.upperSeconds),
    upperSeconds: Math.max(one.lowerSeconds, one.upperSeconds),
  });

test('a run beside itself is the same; the other way round what was worse is better', () => {
  const opposite = { worse: 'better', better: 'worse', same: 'same' } as const;
  fc.assert(
    fc.property(possibleResult, possibleResult, (one, other) => {
      assert.equal(comparison(one, one).change, 'same');
      const [there, back] = [comparison(one, other), comparison(other, one)];
      assert.deepEqual(
        there.scenarios.map(({ name, change }) => [name, opposite[change]]),
        back.scenarios.map(({ name, change }) => [name, change]),
      );
      assert.deepEqual(there.findings.new, back.findings.gone);
    }),
    { numRuns: 50 },
  );
});

test('no text of a cluster becomes markup on the page', () => {
  fc.assert(
    fc.property(anyResult, anyResult, hostileText, (one, other, id) => {
      const source = sourceOf(comparisonSections(comparison(one, { ...other, run: { ...other.run, id } })));
      assert.doesNotMatch(source, /<(script|img|style|iframe)\b/i);
    }),
    { numRuns: 50 },
  );
});
