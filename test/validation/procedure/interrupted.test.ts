import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { rehearse } from '../../support/rehearse.ts';

test('after a signal during a drain no further action follows, everything is undone, and the exit code is 128 + n', async (t) => {
  const { facts, result } = await rehearse(t, {
    onFact(fact, _rehearsal, send) {
      if (fact.type === 'action-intended' && fact.action === 'drain-node') send('SIGTERM');
    },
  });
  assert.equal(exitCodeOf(facts, result), 143);
  assert.deepEqual(openIntents(facts), []);
  assert.deepEqual(
    result.undo.filter(({ action }) => action === 'drain-node').map(({ state }) => state),
    ['not-needed'],
  );
});

test('after a signal a cordoned node is schedulable again', async (t) => {
  let sent = false;
  const { facts, result, rehearsal } = await rehearse(t, {
    scenarios: [nodeDrain],
    onFact(fact, _rehearsal, send) {
      if (sent || fact.type !== 'cluster-changed' || fact.kind !== 'Node' || !fact.digest.cordoned) return;
      sent = true;
      send('SIGINT');
    },
  });
  assert.ok(sent);
  assert.equal(exitCodeOf(facts, result), 130);
  assert.deepEqual(
    result.undo.filter(({ action }) => action === 'drain-node').map(({ state }) => state),
    ['undone'],
  );
  const nodes = await rehearsal.world.kubernetes('test').list('Node');
  assert.deepEqual(
    nodes.filter(({ spec }) => spec?.unschedulable === true),
    [],
  );
  assert.match(result.verdict, /inconclusive|fail/);
});
