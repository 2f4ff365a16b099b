import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { rehearse } from '../../support/rehearse.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('an empty node is removed, the running node is untouched, and consolidateAfter is 1h again', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, result, rehearsal } = await scenarioRun(t, consolidation, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.equal(row.nodesReplaced, 1);
    assert.deepEqual(
      result.replacements.map(({ cause, ours }) => [cause, ours]),
      [['consolidation: Empty', true]],
    );
    const pool = await rehearsal.world.kubernetes('test').get('NodePool', { name: 'general-purpose-arm' });
    assert.equal(pool?.spec.disruption?.consolidateAfter, '1h');
  }
});

test('nodes that scale-up left empty go first, and the scenario waits for the one that it emptied', async (t) => {
  const { result } = await rehearse(t, { scenarios: [scaleUp, consolidation] });
  const row = result.scenarios.find(({ name }) => name === 'consolidation');
  const observed = (id: string) => row?.findings.find((finding) => finding.id === id)?.observed ?? '';
  assert.match(
    observed('empty-node-removed'),
    /^ip-\S+, which this scenario emptied, after [12]\d\d s; empty before: ip-/,
  );
  assert.ok((row?.nodesReplaced ?? 0) > 1);
  assert.match(observed('prediction'), /it is tainted [12]\d\d\.\d s, .*it is gone [12]\d\d\.\d s/);
});

test('an autoscaler that takes a node with a pod for empty disrupts the running node: criterion 6 is not met', async (t) => {
  const { row, result, observed } = await scenarioRun(t, consolidation, { defect: 'eager-consolidation' });
  assert.equal(row.verdict, 'fail');
  assert.match(observed('running-node-untouched'), /disrupted with a pod that was to stay: ip-/);
  assert.equal(result.criteria[5]?.outcome, 'not-met');
});
