import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/validation/finding.ts';
import { acceptance } from '../../../src/validation/judge/acceptance.ts';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import type { RunResult, ScenarioResult } from '../../../src/validation/judge/run-result.ts';
import { verdictOf } from '../../../src/validation/judge/verdict.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { notTestedResult, scenarioResult, tenScenarios } from '../../support/results.ts';
import { fact } from '../../support/run-facts.ts';

type Judged = Parameters<typeof verdictOf>[0];

function judged(scenarios: readonly ScenarioResult[] = tenScenarios(), over: Partial<Judged> = {}): Judged {
  const watched = { clusterWatched: true, ended: true, maximumDowntimeSeconds: 60 };
  const criteria = acceptance({ scenarios, replacements: [], massEvictions: [], ...watched });
  return { criteria, scenarios, findings: [], undo: [], ...over };
}
const finding = (id: string, severity: Finding['severity']): Finding => ({
  ...{ id, severity, subject: '', expected: '', observed: '', advice: '' },
});
const undone = (state: RunResult['undo'][number]['state']) => ({
  undo: [{ action: 'scale', target: 'x', state, because: '' }],
});
const verdict = (one: Judged, facts: readonly ValidationFact[] = [], partial = false) => verdictOf(one, facts, partial);
const withRow = (row: ScenarioResult) => tenScenarios({ [row.name]: row });

test('six criteria met and ten scenarios as expected are a pass', () => {
  assert.equal(verdict(judged()), 'pass');
  assert.equal(verdict(judged(undefined, undone('undone'))), 'pass');
});

test('what could not be undone, and a run that broke, are errors, whatever else there is', () => {
  assert.equal(verdict(judged(undefined, undone('failed'))), 'error');
  assert.equal(verdict(judged(undefined, undone('irreversible'))), 'pass');
  assert.equal(verdict(judged(), [fact(1, { type: 'run-failed', because: 'x' })]), 'error');
});

test('a criterion that is not met, a scenario that is not as expected, or a run given up for downtime fail it', () => {
  const [first, ...rest] = judged().criteria;
  assert.ok(first);
  assert.equal(verdict(judged(undefined, { criteria: [{ ...first, outcome: 'not-met' }, ...rest] })), 'fail');
  assert.equal(verdict(judged(withRow(scenarioResult('load', { verdict: 'fail' })))), 'fail');
  assert.equal(verdict(judged(), [fact(1, { type: 'run-aborted', because: 'x' })]), 'fail');
});

test('what phase 3 verified counts', () => {
  const verified = (outcome: string) =>
    fact(1, { type: 'application-verified', expectations: [{ id: 'x', expected: '', outcome, observed: '' }] });
  assert.equal(verdict(judged(), [verified('met')]), 'pass');
  assert.equal(verdict(judged(), [verified('not-met')]), 'fail');
});

test('a node that is not as the pool requires fails the run; other findings do not', () => {
  assert.equal(verdict(judged(undefined, { findings: [finding('node-requirements', 'error')] })), 'fail');
  assert.equal(verdict(judged(undefined, { findings: [finding('node-requirements', 'info')] })), 'pass');
  assert.equal(verdict(judged(undefined, { findings: [finding('image-tag', 'error')] })), 'pass');
});

test('what is open leaves the run inconclusive', () => {
  const [first, ...rest] = judged().criteria;
  assert.ok(first);
  assert.equal(
    verdict(judged(undefined, { criteria: [{ ...first, outcome: 'inconclusive' }, ...rest] })),
    'inconclusive',
  );
  assert.equal(verdict(judged(withRow(scenarioResult('load', { verdict: 'inconclusive' })))), 'inconclusive');
  for (const id of ['background-outage', 'interrupted', 'unfinished', 'damaged-journal'])
    assert.equal(verdict(judged(undefined, { findings: [finding(id, 'warning')] })), 'inconclusive', id);
});

test('what was not tested leaves a whole run inconclusive, and a partial one only when it is everything', () => {
  const one = judged(withRow(notTestedResult('load')));
  assert.deepEqual([verdict(one), verdict(one, [], true)], ['inconclusive', 'pass']);
  const none = judged(tenScenarios().map(({ name }) => notTestedResult(name)));
  assert.deepEqual([verdict(none), verdict(none, [], true)], ['inconclusive', 'inconclusive']);
});

const check = (id: string, mandatory: boolean, severity: Finding['severity']) =>
  fact(1, { type: 'check-finished', mandatory, finding: finding(id, severity) });
const code = (facts: readonly ValidationFact[], over: Partial<RunResult> = {}) =>
  exitCodeOf(facts, { undo: [], verdict: 'inconclusive', ...over } as RunResult);

test('the exit code: not undone, then a signal, then another run, then the pre-check, then the verdict (contract section 2)', () => {
  const signal = fact(2, { type: 'run-interrupted', signal: 'SIGTERM' });
  const other = check('another-run', true, 'error');
  const stopping = check('clocks', true, 'error');
  const failed = undone('failed') as Partial<RunResult>;
  assert.equal(code([signal, other, stopping], failed), 5);
  assert.equal(code([signal, other, stopping]), 143);
  assert.equal(code([stopping, other]), 6);
  assert.equal(code([stopping]), 3);
  assert.equal(code([check('clocks', false, 'error'), check('adoption', true, 'warning')]), 4);
  const codes = (['pass', 'fail', 'inconclusive', 'error'] as const).map((one) => code([], { verdict: one }));
  assert.deepEqual(codes, [0, 1, 4, 4]);
  const signals = ['SIGHUP', 'SIGINT'].map((name) => code([fact(2, { type: 'run-interrupted', signal: name })]));
  assert.deepEqual(signals, [129, 130]);
});
