import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from '../../../src/deployment/log/message.ts';
import { deployDocument } from '../../../src/deployment/record/document.ts';
import type { DeployEvent, State } from '../../../src/deployment/record/states.ts';

const [old, fresh] = ['a'.repeat(40), 'b'.repeat(40)];

function message(state: State, events: readonly DeployEvent[]) {
  const document = deployDocument({
    id: '20261120T100000Z-1234',
    state,
    events: [{ type: 'previous-commit-recorded', commit: old }, { type: 'fetched', commit: fresh }, ...events],
    steps: [],
    by: null,
    message: null,
    because: null,
    failedStep: null,
    startedAt: 0,
    finishedAt: 125_000,
    notifications: [],
  });
  const { text, details } = messageOf(document, events, 'main', '/srv/app');
  return { text, details };
}

const failed: readonly DeployEvent[] = [
  { type: 'reset', commit: fresh },
  { type: 'health-checked', commit: fresh, status: 500 },
  { type: 'rolled-back', commit: old },
];

test('a rollback is reported with the status of the check that failed, and with that of the one after it as such', () => {
  const { text, details } = message('rolled-back', [...failed, { type: 'health-checked', commit: old, status: 200 }]);
  assert.equal(
    text,
    `Deployment rolled back: the health check failed with HTTP status 500 on branch main; previous commit ${old} is healthy again (/srv/app, 2 min 5 s)`,
  );
  assert.deepEqual(
    details.filter(({ name }) => name.startsWith('HTTP')).map(({ name, value }) => `${name}: ${value}`),
    [`HTTP status: 500 at commit ${fresh}`, `HTTP status after the rollback: 200 at commit ${old}`],
  );
});

test('a site that is unhealthy after the rollback too: the two statuses are told apart', () => {
  const { text, details } = message('rolled-back-unhealthy', [
    ...failed,
    { type: 'health-checked', commit: old, status: 503 },
  ]);
  assert.match(
    text,
    /STILL UNHEALTHY \(HTTP status 503 after the rollback\): the health check failed with HTTP status 500 /,
  );
  assert.deepEqual(
    details.filter(({ name }) => name.startsWith('HTTP')).map(({ name, value }) => `${name}: ${value}`),
    [`HTTP status: 500 at commit ${fresh}`, `HTTP status after the rollback: 503 at commit ${old}`],
  );
});

test('a commit that could not be checked has no status, and its rollback has', () => {
  const { details } = message('rolled-back', [
    { type: 'reset', commit: fresh },
    { type: 'step-failed', step: 'config:cache', because: 'exit code 1' },
    { type: 'rolled-back', commit: old },
    { type: 'health-checked', commit: old, status: 200 },
  ]);
  assert.deepEqual(
    details.filter(({ name }) => name.startsWith('HTTP')).map(({ name, value }) => `${name}: ${value}`),
    [`HTTP status after the rollback: 200 at commit ${old}`],
  );
});

test('a first deploy that is unhealthy is not told as rolled back', () => {
  const { text } = message('rolled-back-unhealthy', [
    { type: 'reset', commit: fresh },
    { type: 'health-checked', commit: fresh, status: 500 },
    { type: 'stayed', commit: fresh },
  ]);
  assert.match(
    text,
    new RegExp(`^The site is UNHEALTHY: .* HTTP status 500 on branch main; it stays at commit ${fresh} `),
  );
});
