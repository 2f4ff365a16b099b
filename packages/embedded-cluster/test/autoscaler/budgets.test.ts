import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedDisruptions, remainingDisruptions } from '../../src/autoscaler/budgets.ts';
import { disruptedTaint } from '../../src/autoscaler/well-known.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import { cacheOf } from '../support/cache-of.ts';
import * as objects from '../support/objects.ts';
import { member, now, others, withBudget } from '../support/pool-members.ts';

const remaining = (budget: string, ...members: readonly Resource[]) =>
  remainingDisruptions(withBudget(budget), 'Drifted', cacheOf([withBudget(budget), ...members]), now);

test('a percentage counts initialized nodes whose instances are not being terminated', () => {
  assert.equal(remaining('10%', ...others(10)), 1);
  assert.equal(remaining('10%', ...others(11)), 2);
  assert.equal(remaining('10%', ...others(10), ...member('new', { conditions: ['Launched'] })), 1);
  assert.equal(
    remaining('10%', ...others(10), ...member('x', { conditions: ['Initialized', 'InstanceTerminating'] })),
    1,
  );
});

test('nodes that are not Ready, tainted or deleted consume a budget, those whose instances are being terminated do not', () => {
  assert.equal(remaining('1', ...others(3)), 1);
  assert.equal(remaining('1', ...others(3), ...member('x', { isReady: false })), 0);
  assert.equal(remaining('1', ...others(3), ...member('x', { taints: [disruptedTaint] })), 0);
  assert.equal(remaining('1', ...others(3), ...member('x', { isDeleted: true })), 0);
  const terminating = { conditions: ['Initialized', 'InstanceTerminating'], isDeleted: true, isReady: false };
  assert.equal(remaining('1', ...others(3), ...member('x', terminating)), 1, 'a second node may be disrupted now');
  assert.equal(remaining('0', ...others(3), ...member('x', { isReady: false })), 0, 'never less than none');
});

test('10% of 1 to 10 nodes is 1, of 11 nodes 2; the smallest budget that applies counts', () => {
  const allowed = (nodes: number, budgets: readonly { nodes: string; reasons?: readonly ('Empty' | 'Drifted')[] }[]) =>
    allowedDisruptions(
      { ...objects.nodePool, spec: { ...objects.nodePool.spec, disruption: { budgets } } },
      'Drifted',
      nodes,
      Date.parse('2026-01-01T00:00:00Z'),
    );
  assert.deepEqual(
    [1, 10, 11].map((nodes) => allowed(nodes, [{ nodes: '10%' }])),
    [1, 1, 2],
  );
  assert.equal(allowed(20, [{ nodes: '10%' }, { nodes: '1' }]), 1);
  assert.equal(allowed(20, [{ nodes: '0', reasons: ['Empty'] }, { nodes: '3' }]), 3);
  assert.equal(allowed(20, [{ nodes: '0%' }]), 0);
});
