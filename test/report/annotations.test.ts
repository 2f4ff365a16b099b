import assert from 'node:assert/strict';
import { test } from 'node:test';
import { githubAnnotations } from '../../src/report/annotations.ts';

const finding = {
  id: 'x',
  severity: 'error' as const,
  subject: 'Deployment a/b',
  expected: 'two: three, four',
  observed: '50 %',
  advice: 'line\nbreak',
};

test('a finding at a line is an annotation there, with its punctuation escaped', () => {
  const at = { file: 'k8s/web,1.yaml', line: 14, field: 'spec.replicas' };
  assert.deepEqual(githubAnnotations({ scenarios: [], findings: [{ ...finding, at }] }), [
    '::error file=k8s/web%2C1.yaml,line=14,title=Deployment a/b%3A two%3A three%2C four::observed: 50 %25%0Aline%0Abreak%0Aspec.replicas',
  ]);
});

test('an error without a place is an annotation of the job', () => {
  assert.deepEqual(githubAnnotations({ scenarios: [], findings: [finding] }), [
    '::error title=Deployment a/b%3A two%3A three%2C four::observed: 50 %25%0Aline%0Abreak',
  ]);
});

test('there are at most ten of each kind, as GitHub shows no more', () => {
  const at = { file: 'a.yaml', line: 1, field: 'spec' };
  const warning = { ...finding, severity: 'warning' as const, at };
  const findings = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? finding : warning));
  const kinds = githubAnnotations({ scenarios: [], findings }).map((line) => line.split(' ')[0]);
  assert.deepEqual(kinds, [...Array<string>(10).fill('::error'), ...Array<string>(10).fill('::warning')]);
});

test('a warning without a place and what is as expected are no annotations', () => {
  const at = { file: 'a.yaml', line: 1, field: 'spec' };
  const warning = { ...finding, severity: 'warning' as const };
  const findings = [warning, { ...warning, at: null }, { ...finding, severity: 'info' as const, at }];
  assert.deepEqual(githubAnnotations({ scenarios: [], findings }), []);
});
