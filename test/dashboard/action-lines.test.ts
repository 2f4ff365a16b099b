import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionLines } from '../../src/dashboard/action-lines.ts';
import { at } from '../support/changes.ts';
import { fact, runOf, scenarioFacts } from '../support/run-facts.ts';

test('an action has each of its undos: one that failed, and that of `recover` after the end', () => {
  const facts = runOf(scenarioFacts({ name: 'single-replica', from: 100 })).map((one) =>
    one.type === 'action-undone' ? fact(130, { ...one, state: 'failed' }) : one,
  );
  const late = fact(9000, {
    type: 'action-undone',
    id: 'single-replica 1',
    state: 'undone',
    because: 'it is as before',
  });
  const [action] = actionLines([...facts, late]);
  assert.deepEqual(action?.undos, [
    { at: at(130), state: 'failed' },
    { at: at(9000), state: 'undone' },
  ]);
});

test('an action without an undo is known as irreversible from its start', () => {
  const killed = scenarioFacts({ name: 'instance-kill', from: 100, intended: { action: 'terminate-instance' } });
  const drained = scenarioFacts({ name: 'node-drain', from: 300, intended: { action: 'drain-node' } });
  const unknown = scenarioFacts({ name: 'load', from: 500, intended: { action: 'of another version' } });
  assert.deepEqual(
    actionLines(runOf(killed, drained, unknown)).map(({ action, isReversible }) => [action, isReversible]),
    [
      ['terminate-instance', false],
      ['drain-node', true],
      ['of another version', true],
    ],
  );
});
