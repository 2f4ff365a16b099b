import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worst } from '../../../src/validation/finding.ts';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { disruptionBudget } from '../../../src/validation/scenarios/disruption-budget.ts';
import { newNodes, noDowntime, podsReady } from '../../../src/validation/scenarios/expectations.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { application, armNode, measured, outcomes, pool, words } from '../../support/measured.ts';
import { downtime } from '../../support/results.ts';

const settings = validationSchema.parse({});

test('one expectation that is not met decides, then one that is inconclusive; a noted one decides nothing', () => {
  assert.equal(worst(['met', 'inconclusive', 'not-met']), 'not-met');
  assert.equal(worst(['met', 'inconclusive', 'noted']), 'inconclusive');
  assert.equal(worst(['noted']), 'met');
  assert.equal(worst([]), 'met');
});

test('no downtime is not met with one bad sample, and inconclusive with one unknown tick', () => {
  const outcome = (over: Parameters<typeof downtime>[0]) => noDowntime(measured({ downtime: downtime(over) })).outcome;
  assert.deepEqual(
    [
      outcome({}),
      outcome({ bad: 1 }),
      outcome({ bad: 1, unknown: 1 }),
      outcome({ unknown: 1 }),
      outcome({ samples: 0 }),
    ],
    ['met', 'not-met', 'not-met', 'inconclusive', 'inconclusive'],
  );
  assert.equal(noDowntime(measured(), 'do').advice, undefined);
  assert.equal(noDowntime(measured({ downtime: downtime({ bad: 1 }) }), 'do').advice, 'do');
});

test('pods ready is met with exactly that number, and inconclusive if pods were not watched', () => {
  const outcome = (readyAtRest: number) =>
    podsReady(measured({ application: application({ readyAtRest }) }), 2).outcome;
  assert.deepEqual([outcome(1), outcome(2), outcome(3)], ['not-met', 'met', 'not-met']);
  const { application: _, ...unseen } = measured();
  assert.equal(podsReady(unseen, 2).outcome, 'inconclusive');
});

test('new nodes is met with a node in that round, if every new node meets the pool’s requirements', () => {
  const [arm, generation6] = [armNode('a'), armNode('b', { 'karpenter.k8s.aws/instance-generation': '6' })];
  const outcome = (round: number, ...rounds: readonly (typeof arm)[][]) =>
    newNodes(measured({ pool: pool({ newNodes: rounds }) }), settings, round).outcome;
  assert.deepEqual(
    [outcome(0, [arm]), outcome(0, []), outcome(0, [], [arm]), outcome(1, [], [arm])],
    [...['met', 'inconclusive', 'inconclusive', 'met']],
  );
  assert.equal(outcome(0, [arm, generation6]), 'not-met');
  assert.equal(outcome(0, [generation6]), 'not-met');
});

test('for nodes that were not watched no number is given, not even zero', () => {
  const unseen = { pool: undefined as never };
  assert.equal(newNodes(measured(unseen), settings, 0).observed, 'the nodes were not observed');
  assert.match(words(consolidation, 'empty-node-removed', unseen), /^the nodes were not observed/);
  assert.match(words(disruptionBudget, 'one-node-replaced', unseen), /^the nodes were not observed/);
  assert.equal(outcomes(disruptionBudget, unseen)['one-node-replaced'], 'inconclusive');
});
