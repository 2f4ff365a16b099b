import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf } from '../../src/validation/exit-code.ts';
import type { Scenario } from '../../src/validation/scenario.ts';
import { singleReplica } from '../../src/validation/scenarios/single-replica.ts';
import { readyPods } from '../../src/validation/snapshot.ts';
import { rehearse } from '../support/rehearse.ts';

const seeds = [1, 2, 3, 7, 42];

test('on the healthy cluster scaling up and draining a node lose no request, and a single replica shows a 503 spike of 1 to 5 seconds', async (t) => {
  for (const seed of seeds) {
    const { result, facts } = await rehearse(t, { seed });
    const tested = result.scenarios.filter(({ verdict }) => verdict !== 'not-tested');
    assert.deepEqual(
      tested.map(({ name, verdict }) => [name, verdict]),
      [
        ['scale-up', 'pass'],
        ['single-replica', 'pass'],
        ['node-drain', 'pass'],
      ],
      `seed ${seed}: ${JSON.stringify(tested.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'info'))}`,
    );
    const spike = result.scenarios.find(({ name }) => name === 'single-replica')?.downtime;
    assert.ok(spike && spike.seconds >= 1 && spike.seconds <= 5, `seed ${seed}: ${spike?.seconds} s`);
    const kinds = result.outages.find(({ scenario }) => scenario === 'single-replica')?.kinds;
    assert.deepEqual(kinds, ['503'], `seed ${seed}`);
    assert.equal(exitCodeOf(facts, result), 4, 'seven scenarios are not tested yet');
    assert.match(result.criteria[1]?.outcome ?? '', /^met$/);
    assert.ok(result.undo.every(({ state }) => state === 'undone' || state === 'kept' || state === 'not-needed'));
  }
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
  for (const seed of seeds) {
    const { result } = await rehearse(t, { seed, scenarios: [twoReplicas] });
    const { downtime } = result.scenarios.find(({ name }) => name === 'single-replica') ?? {};
    assert.deepEqual({ bad: downtime?.bad, seconds: downtime?.seconds }, { bad: 0, seconds: 0 }, `seed ${seed}`);
    assert.ok((downtime?.samples ?? 0) > 30);
  }
});

test('nothing real was under way that virtual time did not know of', async (t) => {
  const { rehearsal } = await rehearse(t, { scenarios: [singleReplica] });
  assert.deepEqual([...rehearsal.unheld], []);
});
