import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { rollout } from '../../../src/validation/scenarios/rollout.ts';
import { application, outcomes, settings, words } from '../../support/measured.ts';
import { before, podOn } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const workload = manifests(settings).find(({ kind }) => kind === 'Deployment') as Deployment;

const noted = (strategy: object) => {
  const plan = rollout.plan(before({ workload: { ...workload, spec: { ...workload.spec, strategy } } }), settings);
  assert.ok('actions' in plan);
  return plan.notes?.find(({ id }) => id === 'rollout');
};

test('it is no row of table 4.1, and rolls out the workload of the application', () => {
  assert.ok(!scenarios.some(({ name }) => name === rollout.name));
  const plan = rollout.plan(before({ workload }), settings);
  assert.ok('actions' in plan);
  const { namespace, application: name } = settings;
  const target = { kind: 'Deployment', namespace, name, selector: 'app=nginx-test' };
  assert.deepEqual(plan.actions, [{ action: 'roll-out', target }]);
});

test('a strategy that takes all pods at once is what the advice is about', () => {
  assert.equal(noted({ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })?.advice, '');
  assert.equal(noted({ type: 'Recreate' })?.observed, 'Recreate');
  assert.match(noted({ rollingUpdate: { maxUnavailable: '100%' } })?.advice ?? '', /maxUnavailable 0/);
  const down = { downtime: downtime({ bad: 3, seconds: 3 }) };
  assert.match(words(rollout, 'no-downtime', { ...down, lacks: ['rollout'] }), /Recreate, or a maxUnavailable of all/);
  assert.match(words(rollout, 'no-downtime', { ...down, lacks: ['pre-stop'] }), /preStop sleep/);
  assert.equal(outcomes(rollout, down)['no-downtime'], 'not-met');
});

test('it has settled when each pod of before is replaced by a ready one', () => {
  const ready = (pods: readonly string[]) => ({
    ...before({ workload }),
    pods: pods.map((name) => podOn('a', { name })),
    slices: [
      {
        apiVersion: 'discovery.k8s.io/v1' as const,
        kind: 'EndpointSlice' as const,
        metadata: { name: 'slice' },
        addressType: 'IPv4' as const,
        endpoints: pods.map((_, n) => ({ addresses: [`10.0.0.${n}`], conditions: { ready: true } })),
      },
    ],
  });
  const then = ready(['one', 'two']);
  assert.equal(rollout.settled(ready(['three', 'four']), then), true);
  assert.equal(rollout.settled(ready(['two', 'three']), then), false, 'one of the old template');
  assert.equal(rollout.settled(ready(['three']), then), false);
});

test('a deadline that was exceeded is a failure by itself', () => {
  assert.equal(outcomes(rollout, {})['progress-deadline'], 'met');
  const late = { application: application({ deadlineExceeded: true }) };
  assert.equal(outcomes(rollout, late)['progress-deadline'], 'not-met');
});
