import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment } from '../../../packages/embedded-cluster/test/api-server/in-api.ts';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { assertNoComplaints, startControllers } from './controllers.ts';
import { addNode } from './kubelets.ts';
import { needsKit } from './programs.ts';
import { servedAlone, until } from './served.ts';

const place = { namespace: 'default', name: 'nginx-test' };
const rolledOut =
  (replicas: number, image: string) =>
  ([one]: readonly Deployment[]): boolean =>
    one?.spec.template.spec.containers[0]?.image === image &&
    one.status?.observedGeneration === one.metadata.generation &&
    one.status?.updatedReplicas === replicas &&
    one.status.availableReplicas === replicas &&
    one.status.replicas === replicas;

test('kube-controller-manager and kube-scheduler run a Deployment on the embedded API server', async (t) => {
  if (!needsKit(t, 'kube-controller-manager', 'kube-scheduler')) return;
  const served = await servedAlone(t);
  const { cluster } = served;
  const programs = startControllers(t, served);
  for (const name of ['node-a', 'node-b']) await addNode(cluster, name);

  await cluster.create(deployment({ replicas: 3 }));
  await until(cluster, 'Deployment', rolledOut(3, 'nginx'));
  const pods = await cluster.list('Pod');
  assert.equal(pods.length, 3);
  assert.ok(pods.every(({ spec }) => ['node-a', 'node-b'].includes(spec.nodeName ?? '')));
  const [set] = await cluster.list('ReplicaSet');
  assert.deepEqual(
    pods.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid),
    pods.map(() => set?.metadata.uid),
  );
  const leases = await cluster.list('Lease', { namespace: 'kube-system' });
  assert.deepEqual(
    leases.map(({ metadata }) => metadata.name),
    ['kube-controller-manager', 'kube-scheduler'],
  );

  await cluster.patch('Deployment', place, {
    type: 'strategic',
    value: { spec: { template: { spec: { containers: [{ name: 'nginx', image: 'nginx:2' }] } } } },
  });
  await until(cluster, 'Deployment', rolledOut(3, 'nginx:2'));
  assert.equal((await cluster.list('ReplicaSet')).length, 2);
  await cluster.delete('Deployment', place);
  await until(cluster, 'ReplicaSet', (sets) => sets.length === 0);
  await until(cluster, 'Pod', (all) => all.length === 0);
  assertNoComplaints(served, programs);
});

test('a Service, a budget and a namespace have their real controllers too', async (t) => {
  if (!needsKit(t, 'kube-controller-manager', 'kube-scheduler')) return;
  const served = await servedAlone(t);
  const { cluster } = served;
  const programs = startControllers(t, served);
  await addNode(cluster, 'node-a');

  const inBrief = { name: 'nginx-test', namespace: 'brief' };
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'brief' } });
  await cluster.create({ ...deployment(), metadata: inBrief });
  await cluster.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: inBrief,
    spec: { selector: { app: 'nginx-test' }, ports: [{ port: 80 }] },
  });
  await cluster.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: inBrief,
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'nginx-test' } } },
  });
  await until(cluster, 'EndpointSlice', ([slice]) => (slice?.endpoints ?? []).length === 2);
  await until(cluster, 'PodDisruptionBudget', ([one]) => one?.status?.disruptionsAllowed === 1);
  await cluster.delete('Namespace', { name: 'brief' });
  await until(cluster, 'Namespace', (all) => all.every(({ metadata }) => metadata.name !== 'brief'));
  assert.deepEqual(await cluster.list('Deployment'), []);
  assertNoComplaints(served, programs);
});
