import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draining } from '../../src/autoscaler/draining.ts';
import { disruptedTaint } from '../../src/autoscaler/well-known.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import { controlledBy } from '../../src/objects/owners.ts';
import * as objects from '../support/objects.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const never = Number.POSITIVE_INFINITY;

interface Over {
  readonly spec?: Partial<Pod['spec']>;
  readonly daemon?: boolean;
  readonly goneAt?: string;
  readonly annotation?: string;
}

function pod(name: string, { spec = {}, daemon = false, goneAt, annotation }: Over = {}): Pod {
  const made = objects.pod(name, { nodeName: 'a', ...spec }, { ready: true });
  const metadata = {
    ...made.metadata,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(daemon && { ownerReferences: [controlledBy(objects.daemonSet)] }),
    ...(goneAt !== undefined && { deletionTimestamp: goneAt }),
    ...(annotation !== undefined && { annotations: { 'karpenter.sh/do-not-disrupt': annotation } }),
  };
  return { ...made, metadata };
}

const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);
const evicted = (pods: readonly Pod[], at = now) => names(draining(pods, at, never).evict);
const critical = { priorityClassName: 'system-cluster-critical' };

test('pods are evicted in groups: non-critical, non-critical of DaemonSets, critical, critical of DaemonSets', () => {
  const all = [
    pod('d', { spec: critical, daemon: true }),
    pod('c', { spec: critical }),
    pod('b', { daemon: true }),
    pod('a'),
  ];
  for (const [count, expected] of [
    [4, 'a'],
    [3, 'b'],
    [2, 'c'],
    [1, 'd'],
  ] as const)
    assert.deepEqual(evicted(all.slice(0, count)), [expected]);
  assert.deepEqual(
    evicted([pod('b', { daemon: true }), pod('a', { goneAt: '2026-01-01T00:10:30Z' })]),
    [],
    'the first group is still terminating',
  );
  assert.equal(draining(all, now, never).waiting, 4);
});

test('pods that tolerate the taint or have finished are not drained, and stuck ones are not waited for', () => {
  const tolerant = pod('tolerant', { spec: { tolerations: [{ key: disruptedTaint.key, operator: 'Exists' }] } });
  const ended = pod('ended');
  const finished: Pod = { ...ended, status: { ...ended.status, phase: 'Succeeded' } };
  assert.equal(draining([tolerant, finished], now, never).waiting, 0);
  assert.equal(draining([pod('stuck', { goneAt: '2026-01-01T00:08:59Z' })], now, never).waiting, 0);
  assert.equal(draining([pod('slow', { goneAt: '2026-01-01T00:09:01Z' })], now, never).waiting, 1);
});

test('a pod with do-not-disrupt is waited for and not evicted until its duration is over', () => {
  for (const [annotation, isEvicted] of [
    ['true', false],
    ['15m', false],
    ['5m', true],
    ['false', true],
  ] as const) {
    const step = draining([pod('p', { annotation })], now, never);
    assert.equal(step.waiting, 1, annotation);
    assert.equal(step.evict.length, isEvicted ? 1 : 0, annotation);
  }
});

test('a pod is deleted when its grace period would outlast the node’s, whatever its annotation says', () => {
  const kept = [pod('p', { annotation: 'true', spec: { terminationGracePeriodSeconds: 60 } })];
  const at = (secondsLeft: number) => names(draining(kept, now, now + 1000 * secondsLeft).expiring);
  assert.deepEqual(at(61), []);
  assert.deepEqual(at(59), ['p']);
});
