import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptionRows, placeText } from '../../src/report/assumptions.ts';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { reportText } from '../../src/report/text.ts';
import type { Assumption } from '../../src/validation/record/events.ts';
import { richResult } from '../support/rich-run.ts';

const assumption = (turnsAt: Assumption['turnsAt']): Assumption => ({
  name: 'start',
  application: 'Deployment/shop',
  value: 5,
  setting: 'rehearse.application.start',
  turnsAt,
});
const said = (verdict: 'pass' | 'fail', turnsAt: Assumption['turnsAt']) =>
  assumptionRows({ verdict, assumptions: [assumption(turnsAt)] })[0]?.[2];

test('an assumption says until where the verdict holds, and what it is beyond', () => {
  assert.equal(
    said('pass', { seconds: 42, verdict: 'fail' }),
    'passes as long as it takes at most 41s; fails from 42s',
  );
  assert.equal(said('fail', { seconds: 3, verdict: 'pass' }), 'fails as long as it takes at least 4s; passes up to 3s');
  assert.equal(
    said('pass', { seconds: 42, verdict: 'fail', again: true }),
    'passes as long as it takes at most 41s; fails from 42s, but not at every value',
  );
  assert.equal(said('fail', null), 'fails whatever it takes, from 0 s to 10 min');
});

test('an assumption says at which values chance decides', () => {
  const textOf = (...byChanceAt: readonly number[]) =>
    assumptionRows({ verdict: 'fail', assumptions: [{ ...assumption(null), byChanceAt }] })[0]?.[2];
  const whatever = 'fails whatever it takes, from 0 s to 10 min';
  assert.equal(textOf(2, 80), `${whatever}; chance decides at 2s, 80s`);
  assert.equal(textOf(2, 4, 8, 16, 32, 64), `${whatever}; chance decides at 2s, 4s, 8s, 16s and 2 more`);
});

test('a question of yes or no says what the other answer does', () => {
  const rowOf = (value: boolean, turnsAt: Assumption['turnsAt']) => {
    const one = { ...assumption(turnsAt), name: 'sigterm', value };
    return assumptionRows({ verdict: 'pass', assumptions: [one] })[0]?.slice(1);
  };
  assert.deepEqual(rowOf(true, { value: false, verdict: 'fail' }), ['yes', 'passes; fails if the answer is no']);
  assert.deepEqual(rowOf(false, null), ['no', 'passes either way']);
});

test('the report shows the field to change for a finding, and the assumptions before the verdict', () => {
  const [finding, ...rest] = richResult.findings;
  assert.ok(finding);
  const at = { file: 'web.yaml', line: 14, field: 'spec.replicas' };
  const result = {
    ...richResult,
    applications: [],
    assumptions: [assumption({ seconds: 42, verdict: 'fail' })],
    findings: [{ ...finding, severity: 'error' as const, at }, ...rest],
  };
  const text = reportText(result);
  assert.match(text, /at: web\.yaml:14 spec\.replicas\n/);
  assert.match(text, /Assumed +Value +The verdict\nrehearse\.application\.start +5s/);
  const markdown = reportMarkdown(result);
  assert.match(markdown, /\| web\.yaml:14 spec\.replicas \|/);
  assert.match(markdown, /## What the manifests do not say/);
  assert.doesNotMatch(reportMarkdown(richResult), /What the manifests do not say|Advice \| At \|/);
  assert.equal(placeText({ ...finding, at: null }), undefined);
});
