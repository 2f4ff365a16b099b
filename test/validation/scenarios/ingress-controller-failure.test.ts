import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ingressControllerFailure } from '../../../src/validation/scenarios/ingress-controller-failure.ts';
import { outcomes, settings, words } from '../../support/measured.ts';
import { before, podOn } from '../../support/objects.ts';
import { bounded, downtime } from '../../support/results.ts';

const controller = (name: string, over: object = {}) => podOn('system', { name, labels: {}, ...over });
const unready = controller('ingress-0', { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
const two = before({ ingressPods: [unready, controller('ingress-2'), controller('ingress-1')] });

test('one ready controller pod is deleted, and only that one', () => {
  assert.deepEqual(ingressControllerFailure.plan(two, settings), {
    actions: [
      { action: 'delete-pod', target: { namespace: 'ingress-nginx', name: 'ingress-1', uid: 'uid-ingress-1' } },
    ],
  });
  assert.ok('inconclusive' in ingressControllerFailure.plan(before({ ingressPods: [unready] }), settings));
});

test('it is settled when the pod is gone and as many are ready as before', () => {
  const settled = (...names: readonly string[]) =>
    ingressControllerFailure.settled(before({ ingressPods: names.map((name) => controller(name)) }), two);
  assert.deepEqual(
    [settled('ingress-1', 'ingress-2'), settled('ingress-2'), settled('ingress-2', 'ingress-3')],
    [false, false, true],
  );
});

const ingress = (readyAtStart: number) => ({ readyAtStart, fewestReady: readyAtStart - 1, readyAgain: bounded(11) });

test('no downtime is as expected, and kept connections are noted apart', () => {
  const cut = { ingress: ingress(2), reused: { samples: 50, bad: 2 } };
  assert.equal(outcomes(ingressControllerFailure, cut)['no-downtime'], 'met');
  assert.equal(outcomes(ingressControllerFailure, cut)['kept-connections'], 'noted');
  assert.match(words(ingressControllerFailure, 'kept-connections', cut), /2 of 50 requests failed/);
  assert.match(words(ingressControllerFailure, 'ready-again', cut), /after 11\.0 s; at the fewest 1 of 2/);
});

test('without observed controller pods it is inconclusive', () => {
  assert.equal(outcomes(ingressControllerFailure, { downtime: downtime() })['ready-again'], 'inconclusive');
  assert.equal(
    outcomes(ingressControllerFailure, { downtime: downtime(), ingress: ingress(2) })['ready-again'],
    'noted',
  );
});

test('downtime is an ingress HA defect; the advice depends on the number of replicas', () => {
  const down = { downtime: downtime({ bad: 3, seconds: 3 }) };
  const alone = words(ingressControllerFailure, 'no-downtime', { ...down, ingress: ingress(1) });
  assert.match(alone, /ingress HA defect, with 1 ready controller replicas: 3\.0 s.*at least 2 replicas/);
  const several = words(ingressControllerFailure, 'no-downtime', { ...down, ingress: ingress(2) });
  assert.match(several, /ingress HA defect, with 2 .*--shutdown-grace-period/);
  assert.equal(outcomes(ingressControllerFailure, down)['no-downtime'], 'not-met');
});

test('seconds without a sample are no HA defect', () => {
  for (const over of [{}, { downtime: downtime({ unknown: 3 }) }])
    assert.doesNotMatch(words(ingressControllerFailure, 'no-downtime', over), /HA defect|replicas/);
});
