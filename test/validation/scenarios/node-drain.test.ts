import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { application, outcomes, settings } from '../../support/measured.ts';
import { before, poolNode } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

test('a node with the application’s pods is drained; without one the scenario is inconclusive', () => {
  const plan = nodeDrain.plan(before(), settings);
  assert.ok('actions' in plan);
  assert.deepEqual(plan.actions, [{ action: 'drain-node', target: { node: 'a' } }]);
  assert.ok('inconclusive' in nodeDrain.plan(before({ nodes: [poolNode('a', 'another-pool')] }), settings));
});

test('two pods ready and no downtime are as expected; one pod, and one bad sample, are not', () => {
  assert.deepEqual(outcomes(nodeDrain), { 'pods-ready': 'met', 'no-downtime': 'met' });
  assert.equal(outcomes(nodeDrain, { application: application({ readyAtRest: 1 }) })['pods-ready'], 'not-met');
  assert.equal(outcomes(nodeDrain, { downtime: downtime({ bad: 1, seconds: 1 }) })['no-downtime'], 'not-met');
});

test('a second without a sample, or no sample at all, is inconclusive', () => {
  assert.equal(outcomes(nodeDrain, { downtime: downtime({ unknown: 1 }) })['no-downtime'], 'inconclusive');
  assert.equal(outcomes(nodeDrain, { downtime: downtime({ samples: 0 }) })['no-downtime'], 'inconclusive');
});
