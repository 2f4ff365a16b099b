import { reportOf } from '../kubelet/pod-status.ts';
import type { Cluster } from '../kubernetes/cluster.ts';
import type { Deployment, Pod, ReplicaSet } from '../kubernetes/resources.ts';
import type { Container } from '../machines/containers.ts';
import type { Instance } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { podOf, podTemplateHashOf, replicaSetOf } from '../workloads/from-template.ts';

const podsPerTenantNode = 10;
const replicasPerTenant = 50;
const namespace = 'tenants';

export const tenantLabels = { 'eks.amazonaws.com/nodegroup': namespace };
export const tenantImage = 'registry.example.com/tenant:1';

export interface TenantOptions {
  readonly machines: Machines;
  /** The API under the name of a controller or kubelet. */
  readonly clusterAs: (user: string) => Cluster;
  readonly random: () => number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Creates other teams' Deployments in the state that their controllers, the scheduler and the kubelets would have
 * reached: every pod bound, running and ready, `podsPerTenantNode` on each node.
 */
export async function createTenants(options: TenantOptions, instances: readonly Instance[]): Promise<void> {
  if (instances.length === 0) return;
  const installer = options.clusterAs('installer');
  await installer.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const placements = Array.from({ length: podsPerTenantNode }, () => instances).flat();
  for (let first = 0; first < placements.length; first += replicasPerTenant) {
    const instancesOfSet = placements.slice(first, first + replicasPerTenant);
    const deployment = await installer.create(
      deploymentOf(`tenant-${first / replicasPerTenant}`, instancesOfSet.length),
    );
    const set = await options
      .clusterAs('system:deployment')
      .create(replicaSetOf(deployment, podTemplateHashOf(deployment), []));
    await placePods(options, set, instancesOfSet);
  }
}

function deploymentOf(name: string, replicas: number): Deployment {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: tenantLabels,
          containers: [{ name: 'main', image: tenantImage, resources: { requests: { cpu: '100m', memory: '128Mi' } } }],
        },
      },
    },
  };
}

async function placePods(options: TenantOptions, set: ReplicaSet, instances: readonly Instance[]): Promise<void> {
  const names = new Set<string>();
  for (const instance of instances) {
    let pod = podOf(set, options.random);
    while (names.has(pod.metadata.name)) pod = podOf(set, options.random);
    names.add(pod.metadata.name);
    const bound = { ...pod, spec: { ...pod.spec, nodeName: instance.nodeName } };
    await runPod(options, await options.clusterAs('system:replica-set').create(bound), instance);
  }
}

async function runPod({ machines, clusterAs, now }: TenantOptions, pod: Pod, instance: Instance): Promise<void> {
  const containers = pod.spec.containers.map(
    ({ name, image }): Container => ({
      id: `${pod.metadata.uid}/${name}/0`,
      podKey: keyOf(pod),
      podUid: pod.metadata.uid ?? '',
      name,
      image,
      instanceId: instance.id,
      address: machines.podAddress(instance.id),
      ports: [],
      restarts: 0,
      createdAt: now,
      startsAt: now,
      listensAt: now,
      seenAt: now,
    }),
  );
  for (const container of containers) machines.start(container);
  const { status } = reportOf(pod, containers, instance, now);
  const place = placeOf(keyOf(pod));
  await clusterAs('system:kubelet').patch(
    'Pod',
    place,
    { type: 'merge', value: { status } },
    { subresource: 'status' },
  );
}
