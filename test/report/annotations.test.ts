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

test('a finding without a place and what is as expected are no annotations', () => {
  const at = { file: 'a.yaml', line: 1, field: 'spec' };
  const findings = [finding, { ...finding, at: null }, { ...finding, severity: 'info' as const, at }];
  assert.deepEqual(githubAnnotations({ scenarios: [], findings }), []);
});
