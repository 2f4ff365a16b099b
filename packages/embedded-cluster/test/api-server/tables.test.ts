import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiServer } from '../../src/api-server/api-server.ts';
import { humanDuration } from '../../src/api-server/tables/durations.ts';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
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
      containerStatuses: [{ name: 'nginx', ready: true, restartCount: 2, image: 'nginx', state: { running: {} } }],
    });
    const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
    await status(cluster, 'c', {
      containerStatuses: [{ name: 'nginx', ready: false, restartCount: 1, image: 'nginx', state: waiting }],
    });
    await cluster.delete('Pod', { namespace: 'default', name: 'd' });
    await clock.sleep(150);
    assert.deepEqual(await rows(server, '/api/v1/namespaces/default/pods'), [
      'a | 0/1 | Pending | 0 | 2m30s | <none> | <none> | <none> | <none>',
      'b | 1/1 | Running | 2 | 2m30s | 10.0.0.1 | node-a | <none> | <none>',
      'c | 0/1 | CrashLoopBackOff | 1 | 2m30s | <none> | node-a | <none> | <none>',
      'd | 0/1 | Terminating | 0 | 2m30s | <none> | node-a | <none> | <none>',
    ]);
    assert.equal((await rows(server, '/api/v1/namespaces/default/pods/b')).length, 1);
    const { json } = await request(server, 'GET', '/api/v1/pods', undefined, { accept });
    const wide = json.columnDefinitions.filter(({ priority }: { priority: number }) => priority === 1);
    assert.deepEqual(
      wide.map(({ name }: { name: string }) => name),
      ['IP', 'Node', 'Nominated Node', 'Readiness Gates'],
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
      's | LoadBalancer | 10.100.0.11 | <pending> | 80:30000/TCP | 0s | <none>',
    ]);
    const ingress = [{ hostname: 'a.elb.amazonaws.com' }];
    await cluster.patch(
      'Service',
      { namespace: 'default', name: 's' },
      { type: 'merge', value: { status: { loadBalancer: { ingress } } } },
      { subresource: 'status' },
    );
    assert.deepEqual(await rows(server, '/apis/apps/v1/deployments'), [
      'nginx-test | 0/2 | 0 | 0 | 0s | nginx | nginx | app=nginx-test',
    ]);
    assert.deepEqual(await rows(server, '/apis/policy/v1/poddisruptionbudgets'), ['nginx-pdb | 1 | N/A | 0 | 0s']);
    assert.deepEqual(await rows(server, '/api/v1/nodes'), [
      'n | Ready,SchedulingDisabled | <none> | 0s | v1.34.0 | <none> | <none> | <unknown> | <unknown> | <unknown>',
    ]);
    assert.deepEqual(await rows(server, '/api/v1/services'), [
      's | LoadBalancer | 10.100.0.11 | a.elb.amazonaws.com | 80:30000/TCP | 0s | <none>',
    ]);
    assert.equal((await rows(server, '/api/v1/namespaces')).length, 4);
  }));

test('a row has its object as includeObject says', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    const object = async (query: string) =>
      (await request(server, 'GET', `/api/v1/pods${query}`, undefined, { accept })).json.rows[0].object;
    assert.equal((await object('')).kind, 'PartialObjectMetadata');
    assert.equal((await object('?includeObject=Object')).spec.containers[0].name, 'nginx');
    assert.equal(await object('?includeObject=None'), null);
  }));

test('the columns of a custom resource are those of its definition, with null for a missing value', () =>
  inApi(async ({ server }) => {
    const additionalPrinterColumns = [
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Zone', type: 'string', jsonPath: '.metadata.labels.example\\.com/zone', description: 'Where it is' },
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
      { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'First', type: 'string', jsonPath: '.spec.names[0]' },
      { name: 'Gone', type: 'string', jsonPath: '.spec.gone' },
    ];
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const version = { name: 'v1', served: true, storage: true, schema, additionalPrinterColumns };
    await request(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions: [version] },
    });
    const thing = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a', labels: { 'example.com/zone': 'b' } },
      spec: { size: 3, names: ['x'] },
      status: { conditions: [{ type: 'Other' }, { type: 'Ready', status: 'True' }] },
    };
    assert.equal((await request(server, 'POST', '/apis/example.com/v1/things', thing)).status, 201);
    const { json } = await request(server, 'GET', '/apis/example.com/v1/things', undefined, { accept });
    assert.deepEqual(json.rows[0].cells, ['a', 'True', 'b', 3, '0s', 'x', null]);
    const [, ready, zone, size] = json.columnDefinitions;
    assert.equal(
      ready.description,
      'Custom resource definition column (in JSONPath format): .status.conditions[?(@.type=="Ready")].status',
    );
    assert.deepEqual([zone.description, size.type, size.priority], ['Where it is', 'integer', 1]);
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
