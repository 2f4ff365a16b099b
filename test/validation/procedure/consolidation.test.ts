import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('an empty node is removed, the running node is untouched, and consolidateAfter is 1h again', async (t) => {
  for (const seed of [1, 2, 3]) {
    const { row, result, rehearsal } = await scenarioRun(t, consolidation, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.equal(row.nodesReplaced, 1);
    assert.deepEqual(
      result.replacements.map(({ cause, ours }) => [cause, ours]),
      [['consolidation: Empty', true]],
    );
    const pool = await rehearsal.world.apiServer.cluster('test').get('NodePool', { name: 'general-purpose-arm' });
    assert.equal(pool?.spec.disruption?.consolidateAfter, '1h');
  }
});

test('an autoscaler that takes a node with a pod for empty disrupts the running node: criterion 6 is not met', async (t) => {
  const { row, result, observed } = await scenarioRun(t, consolidation, { defect: 'eager-consolidation' });
  assert.equal(row.verdict, 'fail');
  assert.match(observed('running-node-untouched'), /disrupted with a pod that was to stay: ip-/);
  assert.equal(result.criteria[5]?.outcome, 'not-met');
});
