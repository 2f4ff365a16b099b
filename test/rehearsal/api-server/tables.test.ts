import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { ApiServer } from '../../../src/rehearsal/api-server/api-server.ts';
import { humanDuration } from '../../../src/rehearsal/api-server/columns.ts';
import { budget, deployment, inApi, pod, request, runningPod } from './in-api.ts';

const accept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

/** The cells of a table, one string for each row; wide columns come last. */
async function rows(server: ApiServer, path: string): Promise<readonly string[]> {
  const { json } = await request(server, 'GET', path, undefined, { accept });
  assert.equal(json.kind, 'Table');
  return json.rows.map(({ cells }: { cells: string[] }) => cells.join(' | '));
}

const status = (cluster: Cluster, name: string, value: unknown) =>
  cluster.patch(
    'Pod',
    { namespace: 'default', name },
    { type: 'merge', value: { status: value } },
    { subresource: 'status' },
  );

test('the table of pods shows what kubectl get shows of their state', () =>
  inApi(async ({ server, cluster, clock }) => {
    await cluster.create(pod('a'));
    for (const name of ['b', 'c', 'd']) await runningPod(cluster, name);
    await status(cluster, 'b', {
      podIP: '10.0.0.1',
      containerStatuses: [{ name: 'nginx', ready: true, restartCount: 2, image: 'nginx' }],
    });
    const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
    await status(cluster, 'c', {
      containerStatuses: [{ name: 'nginx', ready: false, restartCount: 1, image: 'nginx', state: waiting }],
    });
    await cluster.delete('Pod', { namespace: 'default', name: 'd' });
    await clock.sleep(150);
    assert.deepEqual(await rows(server, '/api/v1/namespaces/default/pods'), [
      'a | 0/1 | Pending | 0 | 2m30s | <none> | <none>',
      'b | 1/1 | Running | 2 | 2m30s | 10.0.0.1 | node-a',
      'c | 0/1 | CrashLoopBackOff | 1 | 2m30s | <none> | node-a',
      'd | 0/1 | Terminating | 0 | 2m30s | <none> | node-a',
    ]);
    assert.equal((await rows(server, '/api/v1/namespaces/default/pods/b')).length, 1);
    const { json } = await request(server, 'GET', '/api/v1/pods', undefined, { accept });
    const wide = json.columnDefinitions.filter(({ priority }: { priority: number }) => priority === 1);
    assert.deepEqual(
      wide.map(({ name }: { name: string }) => name),
      ['IP', 'Node'],
    );
  }));

test('the tables of Deployments, budgets, nodes and Services have the columns of kubectl get', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(deployment());
    await cluster.create(budget());
    const conditions = [{ type: 'Ready', status: 'True' }] as const;
    const nodeInfo = { architecture: 'arm64', operatingSystem: 'linux', kubeletVersion: 'v1.34.0' };
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
      spec: { unschedulable: true },
      status: { conditions, nodeInfo },
    });
    const ports = [{ port: 80 }];
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's', namespace: 'default' },
      spec: { type: 'LoadBalancer', ports },
    });
    assert.deepEqual(await rows(server, '/api/v1/services'), [
      's | LoadBalancer | 10.100.0.11 | <pending> | 80:30000/TCP | 0s',
    ]);
    const ingress = [{ hostname: 'a.elb.amazonaws.com' }];
    await cluster.patch(
      'Service',
      { namespace: 'default', name: 's' },
      { type: 'merge', value: { status: { loadBalancer: { ingress } } } },
      { subresource: 'status' },
    );
    assert.deepEqual(await rows(server, '/apis/apps/v1/deployments'), ['nginx-test | 0/2 | 0 | 0 | 0s']);
    assert.deepEqual(await rows(server, '/apis/policy/v1/poddisruptionbudgets'), ['nginx-pdb | 1 | N/A | 0 | 0s']);
    assert.deepEqual(await rows(server, '/api/v1/nodes'), ['n | Ready,SchedulingDisabled | <none> | 0s | v1.34.0']);
    assert.deepEqual(await rows(server, '/api/v1/services'), [
      's | LoadBalancer | 10.100.0.11 | a.elb.amazonaws.com | 80:30000/TCP | 0s',
    ]);
    assert.equal((await rows(server, '/api/v1/namespaces')).length, 4);
  }));

test('a watch that asks for tables gets tables', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    const url = 'http://api/api/v1/pods?watch=true&timeoutSeconds=1';
    const answer = await server.handle({ method: 'GET', url, headers: { Accept: accept } });
    const { type, object } = JSON.parse(await answer.text());
    assert.deepEqual(
      [type, object.kind, object.rows[0].cells[0], object.rows[0].object.metadata.name],
      ['ADDED', 'Table', 'a', 'a'],
    );
  }));

test('ages are written as kubectl writes them', () => {
  const ages = [0, 119, 120, 599, 600, 10_799, 10_800, 28_799, 28_800, 172_799, 172_800, 700_000, 8_640_000].map(
    humanDuration,
  );
  assert.deepEqual(ages, ['0s', '119s', '2m', '9m59s', '10m', '179m', '3h', '7h59m', '8h', '47h', '2d', '8d', '100d']);
});
