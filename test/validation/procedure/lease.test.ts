import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { ofType } from '../../../src/validation/record/records.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { rehearse } from '../../support/rehearse.ts';

test('a run that cannot renew its lease stops, undoes its actions and is no pass, before another run may take it', async (t) => {
  let drained = false;
  const { facts, result, rehearsal } = await rehearse(t, {
    scenarios: [nodeDrain],
    answers: ({ method, url }) => !(drained && method === 'PATCH' && url.endsWith('/leases/holdfast')),
    onFact: ({ type }) => {
      if (type === 'round-opened') drained = true;
    },
  });
  const [failed] = ofType(facts, 'run-failed');
  assert.match(failed?.because ?? '', /^Holding Lease default\/holdfast: it could not be renewed for 60 s: connection/);
  assert.equal(exitCodeOf(facts, result), 4);
  const nodes = await rehearsal.world.kubernetes('test').list('Node');
  assert.ok(nodes.every(({ spec }) => spec?.unschedulable !== true));
});

test('a signal while the lease of a killed run is watched ends the run at once, without a lease', async (t) => {
  const at = { namespace: 'default', name: 'holdfast' };
  const renewTime = '2026-11-19T22:00:00.000000Z';
  const spec = { holderIdentity: 'killed', leaseDurationSeconds: 60, acquireTime: renewTime, renewTime };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: at, spec } as const;
  const { facts, result, rehearsal } = await rehearse(t, {
    scenarios: [nodeDrain],
    onFact(fact, { world, host: { clock } }, send) {
      if (fact.type === 'run-started') void world.kubernetes('killed').create(lease);
      if (fact.type === 'check-finished' && fact.finding.id === 'another-run')
        void clock.sleep(22).then(() => send('SIGINT'));
    },
  });
  const [interrupted] = ofType(facts, 'run-interrupted');
  const [finished] = ofType(facts, 'run-finished');
  assert.ok(Date.parse(finished?.at ?? '') - Date.parse(interrupted?.at ?? '') < 1000);
  assert.equal(exitCodeOf(facts, result), 130);
  assert.equal((await rehearsal.world.kubernetes('test').get('Lease', at))?.spec.holderIdentity, 'killed');
});
