import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeClaim } from '../../../src/cluster/autoscaler.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { freePort } from '../../support/free-port.ts';
import { startAws } from './aws.ts';
import { assertNoComplaints, startControllers } from './controllers.ts';
import { addNode } from './kubelets.ts';
import { needsKit, programPath, start } from './programs.ts';
import { servedAlone, until } from './served.ts';

const nodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    amiFamily: 'AL2023',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    role: 'KarpenterNodeRole',
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'referee' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'referee' } }],
  },
} as const;
const nodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      metadata: { labels: { role: 'app' } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        expireAfter: '720h',
        requirements: [
          { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        ],
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '5s',
      budgets: [{ nodes: '1' }],
    },
  },
} as const;
const application = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'app', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'app' } },
    template: {
      metadata: { labels: { app: 'app' } },
      spec: {
        nodeSelector: { role: 'app' },
        containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '500m', memory: '256Mi' } } }],
      },
    },
  },
} as const;

/** Plays the machines: one that EC2 launched for a NodeClaim registers its Node at once. */
async function playMachines(cluster: Cluster, signal: AbortSignal): Promise<void> {
  const booted = new Set<string>();
  for await (const change of cluster.watch('NodeClaim', {}, signal)) {
    if (change.type === 'synced' || change.type === 'deleted') continue;
    const { metadata, status } = change.object;
    const { providerID } = status ?? {};
    if (providerID === undefined || providerID === '' || booted.has(providerID)) continue;
    booted.add(providerID);
    await addNode(cluster, `ip-10-77-16-${booted.size}.ec2.internal`, {
      labels: { ...metadata.labels },
      spec: { providerID, taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] },
      resources: status?.allocatable ?? {},
    });
  }
}

const isInitialized = ({ status }: NodeClaim): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Initialized' && is === 'True');
const ofOther = (before: readonly NodeClaim[]) => (now: readonly NodeClaim[]) =>
  now.length === 1 && now.every(isInitialized) && now[0]?.metadata.uid !== before[0]?.metadata.uid;

test('Karpenter brings a node up, drifts it and takes the empty one on the embedded API server', async (t) => {
  if (!needsKit(t, 'karpenter-aws', 'kube-controller-manager', 'kube-scheduler')) return;
  const served = await servedAlone(t);
  const { cluster, kubeconfig, folder, signal } = served;
  const programs = startControllers(t, served);
  const karpenter = start(t, programPath('karpenter-aws'), [], {
    KUBECONFIG: kubeconfig,
    AWS_ENDPOINT_URL: await startAws(t, folder),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_EC2_METADATA_DISABLED: 'true',
    ISOLATED_VPC: 'true',
    CLUSTER_NAME: 'referee',
    CLUSTER_ENDPOINT: 'https://127.0.0.1:6443',
    INTERRUPTION_QUEUE: 'referee',
    METRICS_PORT: String(await freePort()),
    HEALTH_PROBE_PORT: String(await freePort()),
    SYSTEM_NAMESPACE: 'kube-system',
    LEADER_ELECTION_NAMESPACE: 'kube-system',
  });
  const machines = playMachines(cluster, signal);
  t.after(() => machines);
  for (const object of [nodeClass, nodePool, application])
    await cluster.apply(object as unknown as Parameters<Cluster['apply']>[0], { fieldManager: 'test' });

  await until(cluster, 'NodeClaim', (claims) => claims.length === 1 && claims.every(isInitialized));
  await until(cluster, 'Pod', (pods) => pods.length === 2 && pods.every(({ status }) => status?.phase === 'Running'));
  const first = await cluster.list('NodeClaim');

  const value = { spec: { template: { metadata: { annotations: { generation: 'two' } } } } };
  await cluster.patch('NodePool', nodePool.metadata, { type: 'merge', value });
  await until(cluster, 'NodeClaim', ofOther(first));
  await until(cluster, 'Pod', (pods) => pods.length === 2 && pods.every(({ status }) => status?.phase === 'Running'));

  await cluster.patch('Deployment', application.metadata, { type: 'merge', value: { spec: { replicas: 0 } } });
  await until(cluster, 'NodeClaim', (claims) => claims.length === 0);
  assert.deepEqual(await cluster.list('Node'), []);
  assert.match(karpenter.output(), /Drifted.*Empty/s);
  assertNoComplaints(served, programs);
});
