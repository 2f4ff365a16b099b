import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { ingressControllerFailure } from '../../../src/validation/scenarios/ingress-controller-failure.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('with two controller replicas the deletion of one shows no downtime', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, observed } = await scenarioRun(t, ingressControllerFailure, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.match(observed('ready-again'), /at the fewest 1 of 2 were ready/);
    assert.match(observed('kept-connections'), /^\d+ of \d+ requests failed$/);
  }
});

test('with one controller replica the downtime is an ingress HA defect', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, observed } = await scenarioRun(t, ingressControllerFailure, {
      seed,
      defect: 'single-ingress-replica',
    });
    assert.equal(row.verdict, 'fail');
    assert.match(observed('no-downtime'), /^ingress HA defect, with 1 ready/);
  }
});
