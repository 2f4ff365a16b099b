import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/validation/finding.ts';
import { acceptance } from '../../../src/validation/judge/acceptance.ts';
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
  id,
  severity,
  subject: '',
  expected: '',
  observed: '',
  advice: '',
});
const undone = (state: RunResult['undo'][number]['state']) => ({
  undo: [{ action: 'scale', target: 'x', state, because: '' }],
});
const verdict = (one: Judged, facts: readonly ValidationFact[] = [], partial = false) => verdictOf(one, facts, partial);
const withRow = (row: ScenarioResult) => tenScenarios({ [row.name]: row });

test('a run passes if six criteria are met and all scenarios went as expected', () => {
  assert.equal(verdict(judged()), 'pass');
  assert.equal(verdict(judged(undefined, undone('undone'))), 'pass');
});

test('an action that could not be undone, or a failed run, is an error, whatever else happened', () => {
  assert.equal(verdict(judged(undefined, undone('failed'))), 'error');
  assert.equal(verdict(judged(undefined, undone('irreversible'))), 'pass');
  assert.equal(verdict(judged(), [fact(1, { type: 'run-failed', because: 'x' })]), 'error');
});

test('a run fails if a criterion is not met, a scenario fails, or it was aborted for downtime', () => {
  const [first, ...rest] = judged().criteria;
  assert.ok(first);
  assert.equal(verdict(judged(undefined, { criteria: [{ ...first, outcome: 'not-met' }, ...rest] })), 'fail');
  assert.equal(verdict(judged(withRow(scenarioResult('load', { verdict: 'fail' })))), 'fail');
  assert.equal(verdict(judged(), [fact(1, { type: 'run-aborted', because: 'x' })]), 'fail');
});

test('the expectations of phase 3 count', () => {
  const verified = (outcome: string) =>
    fact(1, { type: 'application-verified', expectations: [{ id: 'x', expected: '', outcome, observed: '' }] });
  assert.equal(verdict(judged(), [verified('met')]), 'pass');
  assert.equal(verdict(judged(), [verified('not-met')]), 'fail');
});

test('a node that misses the pool’s requirements fails the run; other findings do not', () => {
  assert.equal(verdict(judged(undefined, { findings: [finding('node-requirements', 'error')] })), 'fail');
  assert.equal(verdict(judged(undefined, { findings: [finding('node-requirements', 'info')] })), 'pass');
  assert.equal(verdict(judged(undefined, { findings: [finding('image-tag', 'error')] })), 'pass');
});

test('an open question makes the run inconclusive', () => {
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

test('a scenario that was not tested makes a whole run inconclusive, and a partial run only if none was tested', () => {
  const one = judged(withRow(notTestedResult('load')));
  assert.deepEqual([verdict(one), verdict(one, [], true)], ['inconclusive', 'pass']);
  const none = judged(tenScenarios().map(({ name }) => notTestedResult(name)));
  assert.deepEqual([verdict(none), verdict(none, [], true)], ['inconclusive', 'inconclusive']);
});
