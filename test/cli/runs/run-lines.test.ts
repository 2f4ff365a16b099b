import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf } from '../../../src/cli/runs/run-lines.ts';
import { watchRun } from '../../../src/cli/runs/run-view.ts';
import { fact } from '../../support/run-facts.ts';

const placed = fact(1, {
  type: 'probes-placed',
  vantages: { rule: 'any', logs: ['local', 'a'].map((name) => ({ name, file: `${name}.log` })) },
  without: [{ zone: 'b', because: 'its nodes are all of the pool that the run disturbs' }],
});
const started = fact(0, {
  type: 'action-intended',
  id: 'probe-1',
  action: 'start-probe',
  subject: 'Pod x/y',
  intent: {},
  scenario: null,
});

test('the probes in the cluster are told as phase 2, and so is each zone without one', () => {
  assert.deepEqual(lineOf(started, new Map(), true), ['phase 2: start-probe: Pod x/y']);
  assert.deepEqual(lineOf(placed, new Map(), true), [
    'phase 2: probes: local, a',
    'phase 2: no probe in b: its nodes are all of the pool that the run disturbs',
  ]);
  const { view, take } = watchRun((name) => name);
  take(started);
  assert.equal(view.phase?.name, 'Phase 2: probes in the cluster');
});
