import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { rehearse } from '../../support/rehearse.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('four of five pods terminate gracefully, without downtime', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, observed } = await scenarioRun(t, scaleDown, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.match(observed('graceful-exits'), /^4 pods ended by themselves/);
  }
});

test('the replicas go back in one step: no pod is made only to be deleted', async (t) => {
  const { facts } = await rehearse(t, { scenarios: [scaleDown] });
  const undoneAt = facts.find(({ type }) => type === 'action-undone')?.at ?? '';
  const made = facts.filter(
    (fact) => fact.type === 'cluster-changed' && fact.kind === 'Pod' && fact.change === 'added' && fact.at >= undoneAt,
  );
  assert.equal(made.length, 1, 'from 1 to 2');
});

test('with a probe interval of 5 s the run waits long enough for the good samples', async (t) => {
  const monitor = { ...validationSchema.parse({}).monitor, interval: 5 };
  const { row } = await scenarioRun(t, scaleDown, { settings: { monitor } });
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
});

test('pods without a preStop hook cut requests until their endpoints are removed, and the advice names the hook', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, observed } = await scenarioRun(t, scaleDown, { seed, defect: 'abrupt-termination' });
    assert.equal(row.verdict, 'fail');
    assert.equal(observed('pre-stop'), 'there is none');
    assert.match(
      row.findings.find(({ id }) => id === 'no-downtime')?.advice ?? '',
      /preStop sleep that outlasts the endpoint lag/,
    );
  }
});
