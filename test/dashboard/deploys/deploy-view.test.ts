import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployView } from '../../../src/dashboard/deploys/deploy-view.ts';
import type { DeploymentFact } from '../../../src/deployment/record/events.ts';
import type { DeployEvent, State } from '../../../src/deployment/record/states.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const fact = (second: number, rest: object): DeploymentFact =>
  ({ at: at(second), run: 'one', ...rest }) as unknown as DeploymentFact;
const step = (second: number, name: string, seconds = 1, exitCode = 0) =>
  fact(second, { type: 'step-finished', name, seconds, exitCode });
const change = (second: number, from: State, to: State, event: DeployEvent) =>
  fact(second, { type: 'state-changed', from, to, event });

const started = fact(0, { type: 'run-started', kind: 'deploy', branch: 'main', variant: 'full', pid: 7, bootId: '' });
const bad = { type: 'health-checked', commit: 'new', status: 500, at: at(3), seconds: 0.5 } as const;
const goingBack: readonly DeploymentFact[] = [
  started,
  fact(1, { type: 'baseline-checked', status: 200 }),
  fact(1, { type: 'reset-intended', from: 'old', to: 'new' }),
  step(2, 'reset'),
  change(2, 'fetched', 'reset', { type: 'reset', commit: 'new' }),
  step(4, 'health', 0.5),
  change(4, 'reset', 'rolling-back', bad),
  fact(4, { type: 'rollback-intended', from: 'new', to: 'old', because: 'Health check failed (500)' }),
  step(6, 'rollback reset', 2),
];
const view = (facts: readonly DeploymentFact[], liveId?: string) => deployView(facts, '/srv/app', liveId);

test('a run without an end runs as long as its process holds the lock, and was killed otherwise', () => {
  assert.equal(view(goingBack, 'one')?.state, 'running');
  assert.equal(view(goingBack, 'one')?.doing, 'Goes back to the previous commit');
  assert.equal(view(goingBack)?.state, 'killed');
  assert.equal(view(goingBack)?.doing, null);
  assert.equal(view([]), undefined);
});

test('a step has its place in time, the way back begins with the turn, and a bad answer is a failed check', () => {
  const steps = view(goingBack)?.steps.map(({ name, from, to, isBack, isFailed }) => [
    name,
    (from - Date.parse(at(0))) / 1000,
    (to - Date.parse(at(0))) / 1000,
    isBack,
    isFailed,
  ]);
  assert.deepEqual(steps, [
    ['reset', 1, 2, false, false],
    ['health', 3.5, 4, false, true],
    ['rollback reset', 4, 6, true, false],
  ]);
});

test('every health check says of what it was, and the rollback how far it is', () => {
  const done = change(7, 'rolling-back', 'rolled-back', { type: 'rolled-back', commit: 'old' });
  const good = { type: 'health-checked', commit: 'old', status: 200, at: at(8), seconds: 0.1 } as const;
  const back = view([...goingBack, done, change(8, 'rolled-back', 'rolled-back', good)]);
  assert.deepEqual(
    back?.health.map(({ when, httpStatus, isHealthy }) => [when, httpStatus, isHealthy]),
    [
      ['before the deploy', 200, true],
      ['of the new commit', 500, false],
      ['after the rollback', 200, true],
    ],
  );
  assert.equal(view(goingBack)?.rollback?.state, 'running');
  assert.equal(back?.rollback?.state, 'done');
  const failed = change(7, 'rolling-back', 'rollback-failed', { type: 'rollback-failed', commit: 'old' });
  assert.equal(view([...goingBack, failed])?.rollback?.state, 'failed');
});

test('an answer that came late counts in the second in which it was asked for', () => {
  const counts = (second: number, requests: number, failed: number) =>
    fact(9, { type: 'visitors-counted', second: at(second), requests, failed, slow: 0, torn: failed });
  assert.deepEqual(view([started, counts(2, 5, 0), counts(1, 4, 0), counts(2, 1, 1)])?.visitors, [
    { at: Date.parse(at(1)), requests: 4, failed: 0, slow: 0, torn: 0 },
    { at: Date.parse(at(2)), requests: 6, failed: 1, slow: 0, torn: 1 },
  ]);
});

test('the log has the tags of the deployment log, and the message as it was sent', () => {
  const sent = {
    message: 'Deployment rolled back',
    notifications: [{ channel: 'slack', ok: false, error: 'HTTP 404' }],
  };
  const told = view([...goingBack, fact(9, { type: 'notified', ...sent })]);
  assert.deepEqual(told?.sent, sent);
  const lines = told?.log.map(({ tag, text }) => `${tag ?? ''} ${text}`) ?? [];
  assert.ok(lines.includes('ERROR Health check failed (500) at new'), lines.join('\n'));
  assert.ok(lines.includes(' reset to the commit before: 2.0 s'), lines.join('\n'));
  assert.ok(lines.includes('ERROR Not notified by slack: HTTP 404'), lines.join('\n'));
});
