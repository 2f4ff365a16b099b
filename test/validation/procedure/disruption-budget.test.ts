import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { disruptionBudget } from '../../../src/validation/scenarios/disruption-budget.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('exactly one node drifts and is replaced without downtime, and budget and hash are restored', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, result, rehearsal, observed } = await scenarioRun(t, disruptionBudget, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.equal(row.nodesReplaced, 1);
    assert.match(observed('effective-budgets'), /"10%" allows 1 and "1" allows 1/);
    assert.ok((row.nodeReplacementSeconds ?? 0) > 45);
    assert.deepEqual(
      result.replacements.map(({ cause, ours }) => [cause, ours]),
      [['drift: NodePoolDrifted, after this run did mark-drift', true]],
    );
    assert.equal(result.criteria[4]?.outcome, 'met');
    const pool = await rehearsal.world.kubernetes('test').get('NodePool', { name: 'general-purpose-arm' });
    assert.deepEqual(pool?.spec.disruption?.budgets, [{ nodes: '10%' }]);
  }
});

test('an autoscaler that ignores the budget replaces two nodes: criterion 5 is not met', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, result } = await scenarioRun(t, disruptionBudget, { seed, defect: 'budget-ignored' });
    assert.equal(row.verdict, 'fail');
    assert.deepEqual([row.nodesReplaced, row.maxConcurrentDisruptions], [2, 2]);
    assert.equal(result.criteria[4]?.outcome, 'not-met');
  }
});

test('an autoscaler that disrupts the whole pool at once: criterion 4 is not met', async (t) => {
  const { result } = await scenarioRun(t, disruptionBudget, { defect: 'mass-eviction' });
  assert.equal(result.criteria[3]?.outcome, 'not-met');
});

test('a drift mark without effect makes the scenario inconclusive at once, and everything is undone', async (t) => {
  let mark: string | undefined;
  const { row, result, rehearsal } = await scenarioRun(t, disruptionBudget, {
    onFact(fact, { world }) {
      if (fact.type === 'action-intended' && fact.action === 'mark-drift') mark = fact.id;
      if (fact.type !== 'action-performed' || fact.id !== mark) return;
      void unmark(world.kubernetes('somebody'));
    },
  });
  assert.equal(row.verdict, 'inconclusive');
  assert.match(JSON.stringify(row.findings), /Karpenter sees .* as drifted within 30 s.*it does not/);
  assert.ok((row.downtime?.samples ?? 999) < 120, 'it was not waited for a replacement');
  assert.ok(result.undo.every(({ state }) => state !== 'failed'));
  const pool = await rehearsal.world.kubernetes('test').get('NodePool', { name: 'general-purpose-arm' });
  assert.deepEqual(pool?.spec.disruption?.budgets, [{ nodes: '10%' }]);
});

/** Restores the pool's hash on every NodeClaim. */
async function unmark(cluster: Cluster): Promise<void> {
  const hash = 'karpenter.sh/nodepool-hash';
  const pool = await cluster.get('NodePool', { name: 'general-purpose-arm' });
  const value = { metadata: { annotations: { [hash]: pool?.metadata.annotations?.[hash] } } };
  for (const { metadata } of await cluster.list('NodeClaim'))
    await cluster.patch('NodeClaim', { name: metadata.name }, { type: 'merge', value });
}
