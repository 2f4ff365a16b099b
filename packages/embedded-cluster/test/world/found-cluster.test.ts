import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster, type FoundCluster, foundWorld, type Kind, type Node, type Pod } from '../../src/index.ts';

const kinds: readonly Kind[] = [
  ...(['Namespace', 'Node', 'Pod', 'Deployment', 'ReplicaSet', 'DaemonSet', 'Service', 'PodDisruptionBudget'] as const),
  ...(['EndpointSlice', 'EC2NodeClass', 'ControllerRevision', 'StorageClass'] as const),
];

/** What the API server of a cluster at rest has. */
async function found(): Promise<FoundCluster> {
  const cluster = createCluster();
  await cluster.runFor(1);
  const client = cluster.kubernetes('me');
  const objects = (await Promise.all(kinds.map((kind) => client.list(kind)))).flat();
  cluster.close();
  return { at: cluster.clock.wallAt(), objects };
}

const named = (pods: readonly { readonly metadata: { readonly name: string; readonly uid?: string } }[]) =>
  pods.map(({ metadata: { name, uid } }) => `${name} ${uid}`);

test('a cluster that begins as another one was is at rest: the same pods on the same nodes, ready since they were', async () => {
  const before = await found();
  const cluster = createCluster({ seed: 'other', saved: foundWorld(before) });
  await cluster.runFor(300);
  const client = cluster.kubernetes('me');
  const podsBefore = before.objects.filter((object) => object.kind === 'Pod');
  const pods = await client.list('Pod');
  assert.deepEqual(named(pods), named(podsBefore));
  for (const [index, pod] of pods.entries()) {
    const was = podsBefore[index];
    assert.equal(pod.spec.nodeName, was?.spec.nodeName);
    assert.deepEqual(pod.status?.conditions, was?.status?.conditions);
  }
  cluster.close();
});

test('a node keeps the capacity that it was found with, and one that is not Ready becomes none that is', async () => {
  const status = (ready: 'True' | 'False') => ({
    capacity: { cpu: '7', memory: '9Gi', pods: '33' },
    allocatable: { cpu: '6', memory: '8Gi', pods: '33' },
    conditions: [{ type: 'Ready', status: ready }],
  });
  const node = (name: string, ready: 'True' | 'False') =>
    ({
      ...{ apiVersion: 'v1', kind: 'Node', status: status(ready) },
      metadata: { name, labels: { 'node.kubernetes.io/instance-type': 'm8g.large' } },
    }) as const;
  const objects = [node('healthy', 'True'), node('broken', 'False')] as readonly Node[];
  const cluster = createCluster({ saved: foundWorld({ at: Date.parse('2026-03-01T00:00:00Z'), objects }) });
  await cluster.runFor(120);
  const found = new Map((await cluster.kubernetes('me').list('Node')).map((one) => [one.metadata.name, one] as const));
  const isReady = (name: string) => found.get(name)?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  assert.equal(found.get('healthy')?.status?.allocatable?.cpu, '6');
  assert.equal(isReady('healthy'), 'True');
  assert.equal(isReady('broken'), 'False');
  cluster.close();
});

/** From the deletion of a pod to the readiness of its successor, seconds. */
async function replacementSeconds(pace: 'fastest' | 'slowest'): Promise<number> {
  const cluster = createCluster({ pace });
  const client = cluster.kubernetes('me');
  const isReady = ({ metadata, status }: Pod) =>
    metadata.deletionTimestamp === undefined &&
    status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
  const ready = async () => (await client.list('Pod', { labelSelector: 'k8s-app=kube-dns' })).filter(isReady);
  const seconds = await cluster.run(async () => {
    const [pod] = await ready();
    await client.delete('Pod', { namespace: 'kube-system', name: pod?.metadata.name ?? '' });
    const from = cluster.clock.monotonicSeconds();
    while ((await ready()).length < 2) await cluster.clock.sleep(0.1);
    return cluster.clock.monotonicSeconds() - from;
  });
  cluster.close();
  return seconds;
}

test('every delay is the shortest at the fastest pace, and the longest at the slowest', async () => {
  const [fastest, slowest] = [await replacementSeconds('fastest'), await replacementSeconds('slowest')];
  assert.ok(fastest > 0 && fastest < slowest, `${fastest} s and ${slowest} s`);
});
