import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '../../../src/cluster/resources.ts';
import { harmExpectations, harmedNodes } from '../../../src/validation/procedure/verify-application.ts';
import { settings } from '../../support/measured.ts';
import { poolNode } from '../../support/objects.ts';

const results = (...harmed: readonly Node[]) =>
  harmExpectations(harmed, settings, 60).map(({ id, outcome, observed }) => [id, outcome, observed]);

test('a node that is gone, recreated, being deleted or tainted by the autoscaler is harmed; a cordoned one is not', () => {
  const [a, b, c, d, e] = [poolNode('a'), poolNode('b'), poolNode('c'), poolNode('d'), poolNode('e')];
  const leaving = { ...b, metadata: { ...b.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const tainted = { ...c, spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' as const }] } };
  const anew = { ...d, metadata: { ...d.metadata, uid: 'another' } };
  const cordoned = { ...e, spec: { unschedulable: true } };
  const harmed = harmedNodes({ nodes: [a, b, c, d, e] }, { nodes: [leaving, tainted, anew, cordoned] });
  assert.deepEqual(
    harmed.map(({ metadata }) => metadata.name),
    ['a', 'b', 'c', 'd'],
  );
});

test('restarted nodes of the pool or of no pool are a configuration error; those of other pools are noted', () => {
  const unpooled = { ...poolNode('system'), metadata: { name: 'system', uid: 'system' } };
  assert.deepEqual(results(unpooled), [['no-disruption', 'not-met', 'system disrupted or gone']]);
  assert.deepEqual(results(), [['no-disruption', 'met', 'none in 60 s']]);
  assert.deepEqual(results(poolNode('a')), [['no-disruption', 'not-met', 'a disrupted or gone']]);
  assert.deepEqual(results(poolNode('batch-7', 'batch')), [
    ['no-disruption', 'met', 'none in 60 s'],
    ['other-nodes-disrupted', 'noted', 'batch-7 disrupted or gone'],
  ]);
});
