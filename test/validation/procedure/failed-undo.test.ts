import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { rehearse } from '../../support/rehearse.ts';

test('after a failed undo no further action is performed, and the run records why it ended', async (t) => {
  let refuses = false;
  const run = await rehearse(t, {
    scenarios: [nodeDrain, consolidation],
    answers: ({ method, url }) => !(refuses && method === 'PATCH' && url.includes('/nodes/')),
    onFact(fact) {
      if (fact.type === 'scenario-settled') refuses = true;
      if (fact.type === 'action-undone') refuses = false;
    },
  });
  const started = run.facts.filter(({ type }) => type === 'scenario-started');
  assert.equal(started.length, 1);
  assert.match(
    JSON.stringify(run.facts.find(({ type }) => type === 'run-failed')),
    /Undoing drain-node of Node ip-.*By hand: kubectl uncordon/,
  );
  assert.deepEqual(
    openIntents(run.facts).map(({ action }) => action),
    ['drain-node'],
  );
  assert.equal(exitCodeOf(run.facts, run.result), 5);
});
