import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterSignal } from '../../../src/deployment/log/progress.ts';
import type { DeployEvent, State } from '../../../src/deployment/record/states.ts';

const commit = 'a'.repeat(40);
const after = (state: State, event: DeployEvent) => afterSignal(state, event, 'SIGTERM').map(({ type }) => type);

test('a signal during the fetch is the reason, not the failed fetch', () => {
  assert.deepEqual(after('started', { type: 'fetch-failed' }), ['interrupted']);
});

test('an event before the signal is recorded, and then interrupted', () => {
  assert.deepEqual(after('fetched', { type: 'reset', commit }), ['reset', 'interrupted']);
});

test('a deploy that has passed its health check stays verified', () => {
  assert.deepEqual(after('reset', { type: 'health-checked', status: 200, commit }), ['health-checked']);
});

test('a health check that was aborted by a signal decides nothing', () => {
  assert.deepEqual(after('reset', { type: 'health-checked', status: 0, commit }), ['interrupted']);
});

test('a rollback is never interrupted', () => {
  assert.deepEqual(after('rolling-back', { type: 'rolled-back', commit }), ['rolled-back']);
  assert.deepEqual(after('rolled-back', { type: 'health-checked', status: 500, commit }), ['health-checked']);
});
