import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spread } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import type { Scenario } from '../../../src/validation/scenarios/scenario.ts';
import { type Rehearsed, rehearse } from '../../support/rehearse.ts';

/** The state that the run's writes can change, in the API and in the zone. */
async function touchable({ rehearsal }: Pick<Rehearsed, 'rehearsal'>) {
  const cluster = rehearsal.world.kubernetes('test');
  const [pool, nodes, claims, application, automation] = await Promise.all([
    cluster.get('NodePool', { name: 'general-purpose-arm' }),
    cluster.list('Node'),
    cluster.list('NodeClaim'),
    cluster.get('Deployment', { namespace: 'default', name: 'nginx-test' }),
    cluster.get('Deployment', { namespace: 'external-dns', name: 'external-dns' }),
  ]);
  return {
    pool: pool?.spec,
    poolHash: pool?.metadata.annotations?.['karpenter.sh/nodepool-hash'],
    cordoned: nodes.filter(({ spec }) => spec?.unschedulable === true).map(({ metadata }) => metadata.name),
    hashes: [...new Set(claims.map(({ metadata }) => metadata.annotations?.['karpenter.sh/nodepool-hash']))],
    replicas: [application?.spec.replicas, automation?.spec.replicas],
    records: rehearsal.world.zone.list(),
  };
}

/** Stops the run at the n-th fact about an action of the scenario: intended, performed or verified. */
async function stoppedAt(t: Parameters<typeof rehearse>[0], scenario: Scenario, n: number): Promise<Rehearsed> {
  const mine = new Set<string>();
  let seen = 0;
  return rehearse(t, {
    scenarios: [scenario],
    onFact(fact, _rehearsal, send) {
      if (fact.type === 'action-intended' && fact.scenario === scenario.name) mine.add(fact.id);
      if (!/^action-(intended|performed|verified)$/.test(fact.type) || !('id' in fact) || !mine.has(fact.id)) return;
      seen += 1;
      if (seen === n) send('SIGTERM');
    },
  });
}

/** Performs no action, so that the run leaves only the objects that it applied. */
const idle = { ...nodeDrain, baseline: { appReplicas: 2 }, plan: () => ({ inconclusive: 'nothing is done' }) } as const;

test('after a signal at any fact of any action everything is as before the scenario, and no action is open', async (t) => {
  const before = await touchable(await rehearse(t, { scenarios: [idle] }));
  const undone = scenarios.filter(({ name }) => name !== 'instance-kill');
  const cases = undone.flatMap((scenario) => [2, 4, 8].map((n) => ({ scenario, n })));
  // Ten of thirty: a moment of each scenario, and each moment with several.
  for (const { scenario, n } of spread(cases, 10)) {
    const stopped = await stoppedAt(t, scenario, n);
    if (!stopped.facts.some(({ type }) => type === 'run-interrupted')) continue;
    const about = `${scenario.name} at ${n}`;
    assert.equal(exitCodeOf(stopped.facts, stopped.result), 143, about);
    assert.deepEqual(openIntents(stopped.facts), [], about);
    assert.deepEqual(await touchable(stopped), before, about);
  }
});
