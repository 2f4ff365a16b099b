import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, EndpointSlice, Pod } from '../../../src/cluster/resources.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { application, outcomes, settings, words } from '../../support/measured.ts';
import { before, podOn } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const one = { application: application({ readyAtRest: 1 }) };
const spike = (lowerSeconds: number, over = {}) =>
  outcomes(singleReplica, { ...one, downtime: downtime({ bad: 1, lowerSeconds, ...over }) }).spike;
const only = podOn('a', { name: 'only', labels: { app: 'nginx-test' } });

test('the only pod is deleted, by its uid; with another one it is not the only endpoint', () => {
  const [deletion] = planOf([only]);
  assert.deepEqual(
    [deletion?.action, deletion?.target],
    ['delete-pod', { namespace: 'default', name: 'only', uid: only.metadata.uid }],
  );
  const leaving = { ...only, metadata: { ...only.metadata, name: 'leaving', uid: 'other' }, status: {} };
  for (const pods of [[], [only, only], [only, leaving]])
    assert.ok('inconclusive' in singleReplica.plan(before({ pods }), settings), `${pods.length} pods`);
});

function planOf(pods: ReturnType<typeof before>['pods']) {
  const plan = singleReplica.plan(before({ pods }), settings);
  assert.ok('actions' in plan);
  return plan.actions;
}

const slice: EndpointSlice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'slice' },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
};

test('it is settled when another pod is ready in its place', () => {
  const next = { ...only, metadata: { ...only.metadata, name: 'next', uid: 'next' } };
  const deployment = manifests(settings).find(({ kind }) => kind === 'Deployment') as Deployment;
  const now = (pods: readonly Pod[]) => {
    const spec = { ...deployment.spec, replicas: 1 };
    return before({ pods, slices: [slice], workload: { ...deployment, spec } });
  };
  const start = now([only]);
  assert.equal(singleReplica.settled(now([only]), start), false);
  assert.equal(singleReplica.settled(now([next]), start), true);
});

test('a spike of up to 5 s or none is as expected, and certainly more than 5 s is not', () => {
  assert.deepEqual([spike(0), spike(4), spike(5), spike(5.001)], ['met', 'met', 'met', 'not-met']);
  assert.equal(outcomes(singleReplica, one).spike, 'met');
  const long = { ...one, downtime: downtime({ lowerSeconds: 9 }) };
  assert.match(words(singleReplica, 'spike', long), /readiness probe/);
});

test('seconds without a sample are inconclusive', () => {
  assert.equal(spike(2, { unknown: 1 }), 'inconclusive');
  assert.equal(spike(0, { samples: 0 }), 'inconclusive');
  const unseen = { ...one, downtime: downtime({ samples: 0 }) };
  assert.equal(outcomes(singleReplica, unseen)['two-replicas'], 'inconclusive');
  assert.doesNotMatch(words(singleReplica, 'two-replicas', unseen), /0 s/);
});

test('the pod is recreated, and the report says that production needs two replicas', () => {
  assert.equal(outcomes(singleReplica, one)['pods-ready'], 'met');
  assert.equal(outcomes(singleReplica, { application: application({ readyAtRest: 0 }) })['pods-ready'], 'not-met');
  assert.match(
    words(singleReplica, 'two-replicas', { ...one, downtime: downtime({ seconds: 3 }) }),
    /with 1 replica: 3\.0 s of downtime \| production needs at least 2 replicas/,
  );
});
