import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { troubles, verdictReasons, verdictWords } from '../../src/report/verdict.ts';
import type { Finding } from '../../src/validation/finding.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';
import { anyResult } from '../support/any-result.ts';
import { notTestedResult, scenarioResult, tenScenarios } from '../support/results.ts';
import { richResult } from '../support/rich-run.ts';

const passed: RunResult = {
  ...richResult,
  verdict: 'pass',
  criteria: richResult.criteria.map((criterion) => ({ ...criterion, outcome: 'met' })),
  scenarios: tenScenarios(),
  findings: [],
  outages: [],
  undo: [],
};

const outage = (observed: string): Finding => ({
  id: 'background-outage',
  severity: 'warning',
  subject: 'downtime log',
  expected: 'no outage while nothing was disturbed',
  observed,
  advice: 'find its cause',
});

test('the reason for a pass is six criteria met and every scenario as expected', () => {
  assert.equal(verdictWords(passed), 'PASS');
  assert.deepEqual(verdictReasons(passed), ['six criteria met, every scenario as expected']);
});

test('a partial pass is marked as partial and names its scenarios', () => {
  const scenarios = tenScenarios(
    Object.fromEntries(['load', 'dns-failure'].map((name) => [name, notTestedResult(name)])),
  ).slice(6);
  const partial = { ...passed, partial: true, scenarios };
  assert.equal(verdictWords(partial), 'PASS (partial)');
  assert.deepEqual(verdictReasons(partial), ['as expected: consolidation, ingress-controller-failure']);
});

test('an action that could not be undone is the first reason', () => {
  assert.deepEqual(verdictReasons(richResult), [
    'could not be undone: set-budget of NodePool general-purpose-arm',
    'criteria not met: 2, 6',
    'not as expected: node-drain',
    'inconclusive: load',
    'not tested: dns-failure',
  ]);
});

test('a run without a tested scenario has a short reason', () => {
  const scenarios = tenScenarios().map(({ name }) => notTestedResult(name));
  const reasons = verdictReasons({ ...passed, verdict: 'inconclusive', scenarios });
  assert.deepEqual(reasons, ['no scenario was tested']);
});

test('a thousand outages outside all scenarios are one reason', () => {
  const findings = Array.from({ length: 1000 }, (_, index) => outage(`${index} s`));
  assert.deepEqual(verdictReasons({ ...passed, verdict: 'inconclusive', findings }), [
    'downtime log: 0 s, and 999 more like it',
  ]);
});

test('there is always a reason', () => {
  assert.deepEqual(verdictReasons({ ...passed, verdict: 'inconclusive' }), ['not enough evidence either way']);
  fc.assert(fc.property(anyResult, (result) => assert.ok(verdictReasons(result).length > 0)));
});

test('errors come before warnings, of the run and of its scenarios', () => {
  const broken = { ...outage('in a scenario'), severity: 'error' as const };
  const scenarios = [scenarioResult('load', { findings: [{ ...broken, severity: 'info' }, broken] })];
  assert.deepEqual(
    troubles({ findings: [outage('1 s')], scenarios }).map(({ severity, observed }) => [severity, observed]),
    [
      ['error', 'in a scenario'],
      ['warning', '1 s'],
    ],
  );
});
