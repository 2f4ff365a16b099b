import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeClaim } from '../../../src/cluster/autoscaler.ts';
import { disruptionBudget } from '../../../src/validation/scenarios/disruption-budget.ts';
import { budgetsNote, disruptionTrouble } from '../../../src/validation/scenarios/pool-disruption.ts';
import { outcomes, pool, settings, words } from '../../support/measured.ts';
import { before, claimOf, nodePool, poolNode } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const healthy = before({ claims: ['a', 'b', 'c'].map((node) => claimOf(node)), pool: nodePool() });
const one = [{ nodes: '1' }];

test('the budget is set, spare capacity taken away, and exactly one NodeClaim marked, in this order', () => {
  const plan = disruptionBudget.plan(healthy, settings);
  assert.ok('actions' in plan);
  assert.deepEqual(
    plan.actions.map(({ action, target }) => [
      action,
      'node' in target ? target.node : 'nodeClaim' in target ? target.nodeClaim : target.value,
    ]),
    [
      ['set-budget', one],
      ['cordon-node', 'b'],
      ['cordon-node', 'c'],
      ['mark-drift', 'claim-a'],
    ],
  );
});

test('a budget of 0 of the pool’s owner is not replaced, with or without a schedule; our own pool has none', () => {
  for (const freeze of [
    { nodes: '0' },
    { nodes: '0%', reasons: ['Drifted'] as const },
    { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' },
  ]) {
    const { spec, ...rest } = nodePool();
    const frozen = {
      ...rest,
      spec: { ...spec, disruption: { ...spec.disruption, budgets: [{ nodes: '10%' }, freeze] } },
    };
    const now = { ...healthy, pool: frozen };
    assert.deepEqual(disruptionBudget.plan(now, { ...settings, manifests: 'none' }), {
      inconclusive: `its owner has frozen the pool by the budget ${JSON.stringify(freeze)}: it is not replaced`,
      needless: true,
    });
    assert.ok('actions' in disruptionBudget.plan(now, settings));
  }
  assert.ok('actions' in disruptionBudget.plan(healthy, { ...settings, manifests: 'none' }));
});

test('exactly one node replaced, one at a time, without downtime', () => {
  const replaced = (nodesReplaced: number, maxConcurrentDisruptions = 1) =>
    outcomes(disruptionBudget, { pool: pool({ nodesReplaced, maxConcurrentDisruptions }) });
  assert.deepEqual(replaced(1), {
    'one-node-replaced': 'met',
    'one-at-a-time': 'met',
    'pods-ready': 'met',
    'no-downtime': 'met',
  });
  assert.equal(replaced(2)['one-node-replaced'], 'not-met');
  assert.equal(replaced(0)['one-node-replaced'], 'inconclusive');
  assert.equal(replaced(1, 2)['one-at-a-time'], 'not-met');
  const bad = { pool: pool({ nodesReplaced: 1 }), downtime: downtime({ bad: 1 }) };
  assert.equal(outcomes(disruptionBudget, bad)['no-downtime'], 'not-met');
});

const notReady = (name: string) => ({
  ...poolNode(name),
  status: { conditions: [{ type: 'Ready', status: 'Unknown' as const }] },
});
const trouble = (over: Partial<typeof healthy>, budgets: Parameters<typeof disruptionTrouble>[1] = one) =>
  disruptionTrouble({ ...healthy, ...over }, budgets, 'Drifted');

test('a node that is not ready uses up the budget', () => {
  assert.equal(trouble({}), undefined);
  const nodes = [poolNode('a'), poolNode('b'), notReady('c')];
  assert.match(trouble({ nodes }) ?? '', /budget of 1 is used up by nodes that are not ready or on their way out: c/);
  assert.equal(trouble({ nodes }, [{ nodes: '2' }]), undefined);
  const plan = disruptionBudget.plan({ ...healthy, nodes }, settings);
  assert.ok('inconclusive' in plan);
});

test('nodes being deleted use up the budget too; nodes with an ending instance or not yet initialized do not', () => {
  const tainted = {
    ...poolNode('c'),
    spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' as const }] },
  };
  assert.match(trouble({ nodes: [poolNode('a'), poolNode('b'), tainted] }) ?? '', /used up by .*: c/);
  const leaving = claimOf('c', { metadata: { deletionTimestamp: '2026-11-20T10:00:00Z' } });
  assert.match(trouble({ claims: [claimOf('a'), claimOf('b'), leaving] }) ?? '', /used up/);
  const ending = claimOf('c', {
    conditions: ['Initialized', 'InstanceTerminating'],
    metadata: { deletionTimestamp: 'x' },
  });
  assert.equal(trouble({ claims: [claimOf('a'), claimOf('b'), ending] }), undefined);
  const fresh = claimOf('c', { conditions: [] });
  assert.equal(
    trouble({ claims: [claimOf('a'), claimOf('b'), fresh], nodes: [poolNode('a'), poolNode('b')] }),
    undefined,
  );
});

test('a NodeClaim that has drifted by itself would be replaced first', () => {
  const drifted: NodeClaim = claimOf('b', { conditions: ['Initialized', 'Drifted'] });
  assert.match(
    trouble({ claims: [claimOf('a'), drifted, claimOf('c')] }) ?? '',
    /already drifted, and replaced first: claim-b/,
  );
});

test('budgets for other reasons and with a schedule are not counted', () => {
  assert.equal(trouble({}, [{ nodes: '0', reasons: ['Empty'] }, { nodes: '1' }]), undefined);
  assert.match(trouble({}, [{ nodes: '0', reasons: ['Drifted'] }]) ?? '', /allow no disruption: 0 of 3 nodes/);
});

test('both effective numbers are noted, because 10 % of up to ten nodes is one', () => {
  const note = (nodes: number) => {
    const claims = Array.from({ length: nodes }, (_, index) => claimOf(`n${index}`));
    return budgetsNote({ ...healthy, claims }, one, 'Drifted').observed;
  };
  assert.match(note(3), /of 3 nodes "10%" allows 1 and "1" allows 1: the override changes nothing here/);
  assert.match(note(11), /of 11 nodes "10%" allows 2 and "1" allows 1: the override allows 1 instead/);
});

test('without a victim, or without its NodeClaim, the scenario is inconclusive', () => {
  const elsewhere = { ...healthy, nodes: ['a', 'b', 'c'].map((name) => poolNode(name, 'another')) };
  assert.ok('inconclusive' in disruptionBudget.plan(elsewhere, settings));
  const claimless = disruptionBudget.plan({ ...healthy, claims: [claimOf('b'), claimOf('c')] }, settings);
  assert.deepEqual(claimless, { inconclusive: 'node a has no NodeClaim' });
});

test('without observed nodes the scenario is inconclusive', () => {
  const unseen = outcomes(disruptionBudget, { pool: undefined as never });
  assert.deepEqual([unseen['one-node-replaced'], unseen['one-at-a-time']], ['inconclusive', 'inconclusive']);
});

test('another node that was replaced does not stand for the one that was marked', () => {
  const marked = (goneSeconds: number | null) => ({
    pool: pool({ nodesReplaced: 1, taken: [{ node: 'a', notReadySeconds: null, goneSeconds }] }),
  });
  assert.equal(outcomes(disruptionBudget, marked(64))['one-node-replaced'], 'met');
  assert.equal(outcomes(disruptionBudget, marked(null))['one-node-replaced'], 'inconclusive');
  assert.match(words(disruptionBudget, 'one-node-replaced', marked(null)), /not a, which was marked/);
});
