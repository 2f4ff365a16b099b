import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { ofType } from '../../../src/validation/record/records.ts';
import { zoneFailure } from '../../../src/validation/scenarios/zone-failure.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('the specification’s application, which is spread over nodes alone, is down until a new node has booted', async (t) => {
  const { row, result, facts, observed } = await scenarioRun(t, zoneFailure, { seed: 1 });
  assert.equal(row.verdict, 'fail');
  assert.equal(exitCodeOf(facts, result), 1);
  assert.equal(observed('replicas-in-zone'), '0 of 2 ready pods are on nodes of other zones');
  assert.ok((row.downtime?.lowerSeconds ?? 0) > 60);
  const [{ advice } = { advice: '' }] = row.findings.filter(({ severity }) => severity === 'error');
  assert.match(advice, /over zones/);

  const [ended, ...others] = ofType(facts, 'action-intended').filter(({ action }) => action === 'terminate-zone');
  assert.equal(ended?.nodes?.length, 2, 'both nodes by one action');
  assert.deepEqual(others, []);
  assert.deepEqual(
    result.replacements.map(({ cause, ours }) => [cause, ours]),
    Array.from({ length: 2 }, () => ['this run ended its instance', true]),
  );
  assert.equal(result.criteria[3]?.outcome, 'not-tested', 'the autoscaler only clears away what the run ended');
  assert.deepEqual(
    result.undo.filter(({ action }) => action === 'terminate-zone').map(({ state }) => state),
    ['irreversible'],
  );
});

test('a signal at the moment of the termination leaves no action open', async (t) => {
  const { facts, result } = await scenarioRun(t, zoneFailure, {
    onFact(fact, _rehearsal, send) {
      if (fact.type === 'action-intended' && fact.action === 'terminate-zone') send('SIGINT');
    },
  });
  assert.equal(exitCodeOf(facts, result), 130);
});
