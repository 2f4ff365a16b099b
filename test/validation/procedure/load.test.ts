import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../../src/validation/scenarios/load.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('20,000 requests at concurrency 500 are answered, and no pod crashes', async (t) => {
  const { row, observed } = await scenarioRun(t, load);
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
  assert.match(observed('no-5xx'), /^20000 × 200 in/);
});

test('5xx responses under load are counted', async (t) => {
  const { row, observed } = await scenarioRun(t, load, { defect: 'server-errors-under-load' });
  assert.equal(row.verdict, 'fail');
  const [, good = 0, failed = 0] = (/^(\d+) × 200, (\d+) × 500/.exec(observed('no-5xx')) ?? []).map(Number);
  assert.ok(failed > 0);
  assert.equal(good + failed, 20_000);
});

test('pods that crash under load are counted', async (t) => {
  const { row, observed } = await scenarioRun(t, load, { defect: 'pods-crash-under-load' });
  assert.equal(row.verdict, 'fail');
  assert.match(observed('no-crash'), /^[1-9]\d* container restarts/);
});
