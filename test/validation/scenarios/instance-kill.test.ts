import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instanceKill } from '../../../src/validation/scenarios/instance-kill.ts';
import { armNode, measured, outcomes, pool, settings, words } from '../../support/measured.ts';
import { before, podOn, poolNode } from '../../support/objects.ts';
import { bounded, downtime } from '../../support/results.ts';

const replaced = {
  downtime: downtime({ bad: 20, seconds: 27, lowerSeconds: 14, upperSeconds: 40 }),
  pool: pool({
    newNodes: [[armNode('d')]],
    nodeReady: bounded(120),
    taken: [{ node: 'a', notReadySeconds: 55, goneSeconds: 60 }],
  }),
};

test('the instance of a node with the application’s pods is terminated, without spare capacity on other nodes', () => {
  const neighbour = podOn('a', { name: 'batch', labels: { app: 'other' } });
  const plan = instanceKill.plan(before({ poolPods: [...before().pods, neighbour] }), settings);
  assert.ok('actions' in plan);
  assert.deepEqual(
    plan.actions.map(({ action, target }) => [action, target.node]),
    [
      ['cordon-node', 'b'],
      ['cordon-node', 'c'],
      ['terminate-instance', 'a'],
    ],
  );
  assert.match(plan.notes[0]?.observed ?? '', /default\/batch/);
  assert.doesNotMatch(plan.notes[0]?.observed ?? '', /nginx-test/);
});

test('without a possible victim the scenario is inconclusive', () => {
  assert.ok('inconclusive' in instanceKill.plan(before({ nodes: [poolNode('a', 'another')] }), settings));
});

test('under 60 s of downtime, a new node and two pods are as expected', () => {
  assert.deepEqual(outcomes(instanceKill, replaced), {
    'short-recovery': 'met',
    'node-not-ready': 'noted',
    'new-node': 'met',
    'pods-ready': 'met',
    'three-clocks': 'noted',
  });
});

test('the bounds decide: certainly above 60 s is not met, and bounds on both sides are inconclusive', () => {
  const took = (lowerSeconds: number, upperSeconds: number) =>
    outcomes(instanceKill, { ...replaced, downtime: downtime({ bad: 1, lowerSeconds, upperSeconds }) })[
      'short-recovery'
    ];
  assert.deepEqual([took(58, 60), took(59, 61), took(61, 63)], ['met', 'inconclusive', 'not-met']);
});

test('the maximum downtime is a setting', () => {
  const own = { ...settings, instanceKill: { maximumDowntime: 30 } };
  const judged = instanceKill.judge(measured(replaced), own).find(({ id }) => id === 'short-recovery');
  assert.deepEqual([judged?.outcome, judged?.expected], ['inconclusive', 'at most 30 s of downtime']);
});

test('the three clocks are noted, and when the node was NotReady', () => {
  assert.match(
    words(instanceKill, 'three-clocks', replaced),
    /node ready 120\.0 s, pod ready 5\.0 s, 14\.0–40\.0 s of downtime/,
  );
  assert.match(words(instanceKill, 'node-not-ready', replaced), /seen after 55 s; its Node was gone after 60 s/);
  const never = { pool: pool({ taken: [{ node: 'a', notReadySeconds: null, goneSeconds: 12 }] }) };
  assert.match(words(instanceKill, 'node-not-ready', never), /never seen; its Node was gone after 12 s/);
});

test('a killed node that was seen neither to fail nor to go proves nothing', () => {
  const seen = (notReadySeconds: number | null, goneSeconds: number | null) =>
    outcomes(instanceKill, { pool: pool({ taken: [{ node: 'a', notReadySeconds, goneSeconds }] }) })['node-not-ready'];
  assert.equal(seen(null, null), 'inconclusive');
  assert.deepEqual([seen(50, null), seen(null, 20)], ['noted', 'noted']);
});
