import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('four of five pods end gracefully, and no request is cut', async (t) => {
  for (const seed of [1, 2, 3]) {
    const { row, observed } = await scenarioRun(t, scaleDown, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.match(observed('graceful-exits'), /^4 pods ended by themselves/);
  }
});

test('a monitor that probes every 5 s has the time that its good samples take', async (t) => {
  const monitor = { ...validationSchema.parse({}).monitor, interval: 5 };
  const { row } = await scenarioRun(t, scaleDown, { settings: { monitor } });
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
});

test('pods without a preStop hook cut requests while their endpoints linger, and the advice names it', async (t) => {
  for (const seed of [1, 2]) {
    const { row, observed } = await scenarioRun(t, scaleDown, { seed, defect: 'abrupt-termination' });
    assert.equal(row.verdict, 'fail');
    assert.equal(observed('pre-stop'), 'there is none');
    assert.match(
      row.findings.find(({ id }) => id === 'no-downtime')?.advice ?? '',
      /preStop sleep that outlasts the endpoint lag/,
    );
  }
});
