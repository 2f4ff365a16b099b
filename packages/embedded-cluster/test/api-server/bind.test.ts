import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiServer } from '../../src/api-server/api-server.ts';
import { inApi, pod, request } from './in-api.ts';

const pods = '/api/v1/namespaces/default/pods';
const bindingOf = (name: string, target: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name, ...metadata },
  target,
});
const bind = (server: ApiServer, name: string, target: object, metadata?: object) =>
  request(server, 'POST', `${pods}/${name}/binding`, bindingOf(name, target, metadata));

test('a binding assigns a pod to a node once', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    const bound = await bind(server, 'a', { kind: 'Node', name: 'node-a' }, { annotations: { by: 'scheduler' } });
    assert.deepEqual([bound.status, bound.json.status], [201, 'Success']);
    const { json } = await request(server, 'GET', `${pods}/a`);
    assert.deepEqual([json.spec.nodeName, json.metadata.annotations], ['node-a', { by: 'scheduler' }]);
    const [scheduled] = json.status.conditions;
    assert.deepEqual([scheduled.type, scheduled.status], ['PodScheduled', 'True']);
    const again = await bind(server, 'a', { kind: 'Node', name: 'node-b' });
    assert.equal(again.status, 409);
    assert.match(again.json.message, /pods\/binding "a": pod a is already assigned to node "node-a"$/);
  }));

test('the older path names the pod in the binding', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    const path = '/api/v1/namespaces/default/bindings';
    assert.equal((await request(server, 'POST', path, bindingOf('', { name: 'node-a' }))).status, 400);
    assert.equal((await request(server, 'POST', path, bindingOf('a', { name: 'node-a' }))).status, 201);
    assert.equal((await cluster.get('Pod', { namespace: 'default', name: 'a' }))?.spec.nodeName, 'node-a');
  }));

test('a binding that cannot be is refused as a kube-apiserver does', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    await cluster.create(pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] }));
    const answers = [
      await bind(server, 'nobody', { name: 'node-a' }),
      await bind(server, 'a', { kind: 'Pod', name: 'node-a' }),
      await bind(server, 'a', { kind: 'Node' }),
      await bind(server, 'a', { name: 'node-a' }, { uid: '00000000-0000-0000-0000-000000000000' }),
      await bind(server, 'gated', { name: 'node-a' }),
      await request(server, 'POST', `${pods}/a/binding`, bindingOf('b', { name: 'node-a' })),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 500, 500, 409, 409, 400],
    );
    const { json } = await request(server, 'POST', `${pods}/a/binding?dryRun=All`, bindingOf('a', { name: 'node-a' }));
    assert.equal(json.status, 'Success');
    assert.equal((await cluster.get('Pod', { namespace: 'default', name: 'a' }))?.spec.nodeName, undefined);
  }));

test('a service account gets the token of its caller', () =>
  inApi(async ({ server }) => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await request(server, 'POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app' } });
    const ask = (spec: object) =>
      request(
        server,
        'POST',
        `${accounts}/app/token`,
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec },
        { authorization: 'Bearer mine' },
      );
    const { status, json } = await ask({ expirationSeconds: 1200 });
    assert.equal(status, 201);
    assert.deepEqual(json.status, { token: 'mine', expirationTimestamp: '2026-11-20T10:20:00Z' });
    assert.equal((await ask({ expirationSeconds: 5 })).status, 422);
    assert.equal((await request(server, 'POST', `${accounts}/nobody/token`, {})).status, 404);
  }));
