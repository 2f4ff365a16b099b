import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../src/validation/exit-code.ts';
import { ofType } from '../../src/validation/records.ts';
import { nodeDrain } from '../../src/validation/scenarios/node-drain.ts';
import { rehearse } from '../support/rehearse.ts';

test('a run that cannot renew its lease stops, undoes what it did and is no pass, before another may take it', async (t) => {
  let drained = false;
  const { facts, result, rehearsal } = await rehearse(t, {
    scenarios: [nodeDrain],
    answers: ({ method, url }) => !(drained && method === 'PATCH' && url.endsWith('/leases/holdfast')),
    heard: ({ type }) => {
      if (type === 'round-opened') drained = true;
    },
  });
  const [failed] = ofType(facts, 'run-failed');
  assert.match(failed?.because ?? '', /^Holding Lease default\/holdfast: it could not be renewed for 60 s: connection/);
  assert.equal(exitCodeOf(facts, result), 4);
  const nodes = await rehearsal.world.apiServer.cluster('test').list('Node');
  assert.ok(nodes.every(({ spec }) => spec?.unschedulable !== true));
});
