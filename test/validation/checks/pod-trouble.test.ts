import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../../src/cluster/resources.ts';
import { described, unreadyPods } from '../../../src/validation/checks/pod-trouble.ts';

const pod = (name: string, status: object, metadata: object = {}) =>
  ({ metadata: { name, ...metadata }, spec: { containers: [] }, status }) as unknown as Pod;
const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const pending = {
  conditions: [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available' },
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
  ],
};
const crashing = { containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] };

test('a pod that waits for a node has the scheduler’s words, another the reason of its container', () => {
  assert.equal(described(pod('a', pending)), 'a (Unschedulable: 0/3 nodes are available)');
  assert.equal(described(pod('b', crashing)), 'b (CrashLoopBackOff)');
  assert.equal(described(pod('c', {})), 'c');
});

test('of the pods of an application the first that is not ready is named, those that go or have ended are not', () => {
  const going = pod('d', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  const ended = pod('e', { phase: 'Failed' });
  assert.equal(
    unreadyPods([pod('a', ready), pod('b', crashing), pod('c', pending), going, ended]),
    '1 of 3 pods ready, not ready: b (CrashLoopBackOff) and 1 more',
  );
  assert.equal(unreadyPods([pod('a', ready), going]), '');
  assert.equal(unreadyPods([ended]), 'it has no pod');
});
