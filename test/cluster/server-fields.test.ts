import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverFields, withoutServerFields } from '../../src/cluster/server-fields.ts';

const server = { uid: 'u', resourceVersion: '12', generation: 3, creationTimestamp: 'x', managedFields: [] };

test('an export of kubectl get -o yaml is taken without what the server wrote', () => {
  const exported = {
    kind: 'Service',
    metadata: { name: 'web', labels: { app: 'web' }, ...server },
    spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [] },
    status: { loadBalancer: {} },
  };
  assert.deepEqual(withoutServerFields(exported), {
    kind: 'Service',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { ports: [] },
  });
  assert.deepEqual(serverFields(exported).slice(-2), ['status', 'spec.clusterIP']);
  const headless = { kind: 'Service', metadata: { name: 'all', ...server }, spec: { clusterIP: 'None' } };
  assert.deepEqual(withoutServerFields(headless).spec, { clusterIP: 'None' });
});

test('what a person wrote stays as it is', () => {
  const written = {
    kind: 'Service',
    metadata: { name: 'web', creationTimestamp: null },
    spec: { clusterIP: '10.0.0.1' },
  };
  assert.equal(withoutServerFields(written), written);
});
