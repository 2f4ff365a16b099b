import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { application, armNode, outcomes, pool, settings, words } from '../../support/measured.ts';
import { before, poolNode } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const { nodes } = before();

test('in the first round every node of the pool is cordoned, so that capacity is lacking; in the second none is', () => {
  const cordoned = { ...poolNode('d'), spec: { unschedulable: true } };
  const now = before({ nodes: [...nodes, cordoned, poolNode('elsewhere', 'another-pool')] });
  const actionsOf = (round: number) =>
    scaleUp
      .plan(now, settings, round)
      .actions.map(({ action, target }) => [action, 'node' in target ? target.node : target.replicas]);
  assert.deepEqual(actionsOf(0), [
    ['cordon-node', 'b'],
    ['cordon-node', 'a'],
    ['cordon-node', 'c'],
    ['scale', 5],
  ]);
  assert.deepEqual(actionsOf(1), [['scale', 5]]);
});

const five = { application: application({ readyAtRest: 5 }), pool: pool({ newNodes: [[armNode('d')], []] }) };

test('five pods, a new ARM node when capacity was lacking, none when it was not, and no downtime', () => {
  assert.deepEqual(outcomes(scaleUp, five), {
    'pods-ready': 'met',
    'new-node': 'met',
    'no-new-node': 'met',
    'no-downtime': 'met',
  });
});

test('four pods are not five, and one bad sample is downtime', () => {
  assert.equal(outcomes(scaleUp, { ...five, application: application({ readyAtRest: 4 }) })['pods-ready'], 'not-met');
  assert.equal(outcomes(scaleUp, { ...five, downtime: downtime({ bad: 1, seconds: 1 }) })['no-downtime'], 'not-met');
});

test('a new node that does not fulfil the requirements is named, and no new node is inconclusive', () => {
  const wrong = { pool: pool({ newNodes: [[armNode('d', { 'kubernetes.io/arch': 'amd64' })], []] }) };
  assert.equal(outcomes(scaleUp, { ...five, ...wrong })['new-node'], 'not-met');
  assert.equal(outcomes(scaleUp, { ...five, pool: pool({ newNodes: [[], []] }) })['new-node'], 'inconclusive');
});

test('a node that came for the pods of somebody else is not the one that capacity was lacking for', () => {
  const foreign = { ...armNode('d'), holdsNewPod: false };
  const seen = { ...five, pool: pool({ newNodes: [[foreign], []] }) };
  assert.equal(outcomes(scaleUp, seen)['new-node'], 'inconclusive');
  assert.match(words(scaleUp, 'new-node', seen), /none came for the application: none of its new pods runs on d/);
  const both = { ...five, pool: pool({ newNodes: [[foreign, armNode('e')], []] }) };
  assert.equal(outcomes(scaleUp, both)['new-node'], 'met');
});

test('a new node despite capacity, or a missing second round, is inconclusive', () => {
  const both = { pool: pool({ newNodes: [[armNode('d')], [armNode('e')]] }) };
  assert.equal(outcomes(scaleUp, { ...five, ...both })['no-new-node'], 'inconclusive');
  assert.equal(
    outcomes(scaleUp, { ...five, pool: pool({ newNodes: [[armNode('d')]] }) })['no-new-node'],
    'inconclusive',
  );
});
