import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { readyPods } from '../../../src/validation/observe/snapshot.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../../src/validation/scenarios/scenario.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { rehearse } from '../../support/rehearse.ts';
import { sharedRun } from '../../support/shared-run.ts';

test('on the healthy cluster all ten scenarios are as expected and the six criteria are met', async () => {
  for (const seed of seeds({ few: 1, all: 40 })) {
    const { result, facts } = await sharedRun(seed);
    assert.deepEqual(
      result.scenarios.map(({ name, verdict }) => [name, verdict]),
      scenarios.map(({ name }) => [name, 'pass']),
      `seed ${seed}: ${JSON.stringify(result.scenarios.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'info'))}`,
    );
    assert.deepEqual(
      result.criteria.map(({ outcome }) => outcome),
      Array(6).fill('met'),
      `seed ${seed}`,
    );
    assert.deepEqual([result.verdict, exitCodeOf(facts, result)], ['pass', 0], `seed ${seed}`);
    const spike = result.scenarios.find(({ name }) => name === 'single-replica')?.downtime;
    assert.ok(spike && spike.seconds >= 1 && spike.seconds <= 5, `seed ${seed}: ${spike?.seconds} s`);
    const kinds = result.outages.find(({ scenario }) => scenario === 'single-replica')?.kinds;
    assert.deepEqual(kinds, ['503'], `seed ${seed}`);
  }
});

test('every action is undone except the termination of an instance; applied objects stay', async () => {
  const { result, facts, rehearsal } = await sharedRun();
  const states = new Map(result.undo.map(({ action, state }) => [action, state]));
  assert.equal(states.get('terminate-instance'), 'irreversible');
  assert.deepEqual(openIntents(facts), []);
  assert.ok(
    result.undo.every(
      ({ action, state }) => state !== 'failed' && (state !== 'irreversible' || action === 'terminate-instance'),
    ),
  );
  const cluster = rehearsal.world.kubernetes('test');
  const pool = await cluster.get('NodePool', { name: 'general-purpose-arm' });
  assert.deepEqual(pool?.spec.disruption, {
    budgets: [{ nodes: '10%' }],
    consolidateAfter: '1h',
    consolidationPolicy: 'WhenEmpty',
  });
  assert.equal((await cluster.get('Deployment', { namespace: 'default', name: 'nginx-test' }))?.spec.replicas, 2);
  assert.equal(
    (await cluster.get('Deployment', { namespace: 'external-dns', name: 'external-dns' }))?.spec.replicas,
    1,
  );
  assert.deepEqual(
    (await cluster.list('Node')).filter(({ spec }) => spec?.unschedulable === true),
    [],
  );
  const hashes = (await cluster.list('NodeClaim')).map(
    ({ metadata }) => metadata.annotations?.['karpenter.sh/nodepool-hash'],
  );
  assert.ok(!hashes.includes('holdfast-drift-test'));
  assert.deepEqual(
    rehearsal.world.zone
      .list()
      .map(({ name, type }) => `${type} ${name}`)
      .sort(),
    ['CNAME app.example.com', 'TXT cname-app.example.com'],
  );
});

test('with two replicas the deletion of one pod shows no outage', async (t) => {
  const twoReplicas: Scenario = {
    ...singleReplica,
    baseline: { appReplicas: 2 },
    plan: (before, { namespace }) => {
      const [pod] = readyPods(before);
      const { name, uid = '' } = pod?.metadata ?? { name: '' };
      return { actions: [{ action: 'delete-pod', target: { namespace, name, uid } }] };
    },
    settled: (now, before) =>
      readyPods(now).length === 2 &&
      now.pods.length === 2 &&
      now.pods.some(({ metadata }) => before.pods.every((pod) => pod.metadata.uid !== metadata.uid)),
  };
  for (const seed of seeds({ few: 2, all: 20 })) {
    const { result } = await rehearse(t, { seed, scenarios: [twoReplicas] });
    const { downtime } = result.scenarios.find(({ name }) => name === 'single-replica') ?? {};
    assert.deepEqual({ bad: downtime?.bad, seconds: downtime?.seconds }, { bad: 0, seconds: 0 }, `seed ${seed}`);
    assert.ok((downtime?.samples ?? 0) > 30);
  }
});

test('virtual time knew of every real operation under way', async () => {
  const { rehearsal } = await sharedRun();
  assert.deepEqual([...rehearsal.unheld], []);
});
