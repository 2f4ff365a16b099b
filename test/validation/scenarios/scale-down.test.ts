import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '../../../src/cluster/specs.ts';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { preStopNote } from '../../../src/validation/scenarios/scaling-advice.ts';
import { application, outcomes, settings, words } from '../../support/measured.ts';
import { before } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const exit = (graceful: boolean) => ({ pod: `pod-${graceful}`, seconds: 11, graceful });
const one = { application: application({ readyAtRest: 1, exits: [exit(true), exit(true)] }) };

test('it scales from five replicas to one', () => {
  assert.equal(scaleDown.baseline.appReplicas, 5);
  assert.deepEqual(scaleDown.plan(before(), settings).actions, [
    { action: 'scale', target: { namespace: 'default', name: 'nginx-test', replicas: 1 } },
  ]);
});

test('pods that terminate gracefully and no downtime are as expected', () => {
  assert.deepEqual(outcomes(scaleDown, one), { 'pods-ready': 'met', 'graceful-exits': 'met', 'no-downtime': 'met' });
});

test('a pod that is killed at the end of its grace period is named', () => {
  const killed = { application: application({ readyAtRest: 1, exits: [exit(true), exit(false)] }) };
  assert.equal(outcomes(scaleDown, killed)['graceful-exits'], 'not-met');
  assert.match(words(scaleDown, 'graceful-exits', killed), /pod-false after 11 s.*terminationGracePeriodSeconds/);
});

test('without an observed end of a pod it is inconclusive', () => {
  const none = { application: application({ readyAtRest: 1 }) };
  assert.equal(outcomes(scaleDown, none)['graceful-exits'], 'inconclusive');
});

test('the advice on cut requests names preStop and the endpoint lag', () => {
  const cut = { ...one, downtime: downtime({ bad: 2, seconds: 2 }), lacks: ['pre-stop'] };
  assert.equal(outcomes(scaleDown, cut)['no-downtime'], 'not-met');
  assert.match(words(scaleDown, 'no-downtime', cut), /preStop sleep that outlasts the endpoint lag/);
});

const withLifecycle = (lifecycle: Container['lifecycle']) => {
  const container = { name: 'nginx', image: 'nginx', ...(lifecycle === undefined ? {} : { lifecycle }) };
  const spec = { replicas: 2, selector: {}, template: { spec: { containers: [container] } } };
  return preStopNote({ workload: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec } });
};

test('a preStop sleep is noted against the endpoint lag, as a field or as a command', () => {
  assert.equal(withLifecycle({ preStop: { sleep: { seconds: 10 } } }).advice, '');
  assert.equal(withLifecycle({ preStop: { exec: { command: ['sh', '-c', 'sleep 5'] } } }).advice, '');
  assert.match(withLifecycle({ preStop: { sleep: { seconds: 2 } } }).advice ?? '', /sleep.seconds: 10/);
  assert.equal(withLifecycle(undefined).observed, 'there is none');
  assert.equal(withLifecycle(undefined).outcome, 'noted');
});
