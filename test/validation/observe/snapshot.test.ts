import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../../src/cluster/resources.ts';
import { isNotLeftOver, readyEndpoints } from '../../../src/validation/observe/snapshot.ts';
import { podOn } from '../../support/objects.ts';

const slice = (addressType: 'IPv4' | 'IPv6', ...ready: readonly boolean[]) => ({
  apiVersion: 'discovery.k8s.io/v1' as const,
  kind: 'EndpointSlice' as const,
  metadata: { name: addressType },
  addressType,
  endpoints: ready.length === 0 ? null : ready.map((one) => ({ addresses: ['x'], conditions: { ready: one } })),
});

test('a slice with endpoints null has no ready endpoint', () => {
  assert.equal(readyEndpoints({ pods: [], slices: [slice('IPv4')] }), 0);
});

test('a dual-stack Service counts each endpoint once; slices of one address family add up', () => {
  assert.equal(readyEndpoints({ pods: [], slices: [slice('IPv4', true, true), slice('IPv6', true, true)] }), 2);
  assert.equal(readyEndpoints({ pods: [], slices: [slice('IPv6', true), slice('IPv6', true, false)] }), 2);
});

test('the endpoints of a canary behind the same Service are none of the application’s', () => {
  const to = (name: string) => ({
    addresses: ['x'],
    conditions: { ready: true },
    targetRef: { kind: 'Pod', namespace: 'default', name, uid: name },
  });
  const shared = { ...slice('IPv4'), endpoints: ['nginx-test-a', 'canary-1'].map(to) };
  assert.equal(readyEndpoints({ pods: [podOn('a')], slices: [shared] }), 1);
});

test('a finished pod is no replica; a pod being deleted is one', () => {
  const phased = (phase: string, metadata: object = {}): Pod => podOn('a', { status: { phase }, metadata });
  assert.deepEqual(
    ['Pending', 'Running', 'Succeeded', 'Failed'].map((phase) => isNotLeftOver(phased(phase))),
    [true, true, false, false],
  );
  assert.ok(isNotLeftOver(phased('Failed', { deletionTimestamp: '2026-01-01T00:00:00Z' })));
});
