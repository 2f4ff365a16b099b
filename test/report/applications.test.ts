import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationRows, whoseFinding } from '../../src/report/applications.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';
import { downtime } from '../support/results.ts';

const application = (name: string) => ({
  kind: 'Deployment',
  namespace: 'shop',
  name,
  host: 'shop.test',
  path: '/',
  verdict: 'pass',
});
const hit = (name: string, title: string, web: number, api: number) => ({
  name,
  title,
  targets: [
    { application: 'Deployment/web', downtime: downtime({ seconds: web, lowerSeconds: web, upperSeconds: web }) },
    { application: 'Deployment/api', downtime: downtime({ seconds: api, lowerSeconds: api, upperSeconds: api }) },
  ],
});
const rowsOf = (...scenarios: readonly object[]) =>
  applicationRows({ applications: [application('web'), application('api')], scenarios } as unknown as RunResult);

test('an application’s downtime is the sum of its scenarios, and the longest is named', () => {
  const rows = rowsOf(hit('scale-up', 'Scale up', 1, 0), hit('node-drain', 'Node drain', 3, 0));
  assert.deepEqual(rows, [
    ['Deployment/web', 'pass', '4.0 s', 'Node drain', ''],
    ['Deployment/api', 'pass', '0.0 s', '', ''],
  ]);
});

test('the DNS failure, in which every application has to be down, is not counted', () => {
  const rows = rowsOf(hit('scale-up', 'Scale up', 1, 0), hit('dns-failure', 'DNS failure', 158, 158));
  assert.deepEqual(
    rows.map(([, , downtime, longest]) => [downtime, longest]),
    [
      ['1.0 s', 'Scale up'],
      ['0.0 s', ''],
    ],
  );
});

test('what of an application is not as expected is named', () => {
  const criteria = [2, 3, 4].map((number) => ({ number, outcome: number === 4 ? 'met' : 'not-met' }));
  const scenarios = ['node-drain', 'load'].map((name) => ({ name, verdict: name === 'load' ? 'pass' : 'fail' }));
  const applications = [application('web'), { ...application('api'), verdict: 'fail', criteria, scenarios }];
  const rows = applicationRows({ applications, scenarios: [] } as unknown as RunResult);
  assert.deepEqual(
    rows.map((row) => row[4]),
    ['', 'criteria 2, 3; node-drain'],
  );
});

test('a scenario’s finding says of which applications it is, where it is not of all', () => {
  assert.deepEqual([{}, { of: ['Deployment/web', 'Deployment/api'] }].map(whoseFinding), [
    '',
    'Deployment/web, Deployment/api',
  ]);
});
