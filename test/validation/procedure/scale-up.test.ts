import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('without spare capacity a new ARM node is provisioned, with it none is, and the nodes are uncordoned', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, result, rehearsal, observed } = await scenarioRun(t, scaleUp, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.match(observed('new-node'), /ip-10-0-/);
    assert.equal(observed('no-new-node'), '0 new nodes');
    assert.ok((row.nodeReadySeconds ?? 0) > 45);
    assert.deepEqual(
      result.undo.filter(({ action }) => action !== 'apply-object').map(({ action, state }) => [action, state]),
      [
        ['cordon-node', 'undone'],
        ['cordon-node', 'undone'],
        ['scale', 'undone'],
        ['scale', 'undone'],
      ],
    );
    const nodes = await rehearsal.world.kubernetes('test').list('Node');
    assert.deepEqual(
      nodes.filter(({ spec }) => spec?.unschedulable === true),
      [],
    );
  }
});

test('a slow container without a readiness probe gets traffic too early, and the advice names the probe', async (t) => {
  const { row } = await scenarioRun(t, scaleUp, { defect: 'no-readiness-probe' });
  assert.equal(row.verdict, 'fail');
  assert.match(row.findings.find(({ id }) => id === 'no-downtime')?.advice ?? '', /readiness probe/);
});
