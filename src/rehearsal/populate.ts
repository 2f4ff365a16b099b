import type { Cluster } from '../cluster/cluster.ts';
import type { Deployment } from '../cluster/resources.ts';
import type { Machines } from './machines.ts';
import type { Setup } from './setup.ts';
import { startingCluster, systemImages, systemLabels, systemNodes } from './starting-cluster.ts';

/** Pods of other teams on each of their nodes. */
const podsPerTenantNode = 10;
const replicasPerTenant = 50;
const tenantLabels = { 'eks.amazonaws.com/nodegroup': 'tenants' };
const tenantImage = 'registry.example.com/tenant:1';

export interface Population {
  readonly setup: Setup;
  readonly region: string;
  readonly tenantNodes: number;
  readonly nodesAreReady: () => Promise<void>;
}

/** What was there before anybody came to validate: machines, what is installed on them, and other teams' nodes and pods. */
export async function populate(
  machines: Machines,
  cluster: Cluster,
  { setup, region, tenantNodes, nodesAreReady }: Population,
): Promise<void> {
  const base = { capacityType: 'on-demand', tags: {} } as const;
  const { count, type, taints } = systemNodes;
  for (const zone of zonesFor(count, region)) {
    machines.launch({ ...base, type, zone, labels: systemLabels, taints, warm: systemImages });
  }
  for (const zone of zonesFor(tenantNodes, region)) {
    const warm = [...systemImages, tenantImage];
    machines.launch({ ...base, type: 'm8g.xlarge', zone, labels: tenantLabels, taints: [], warm });
  }
  await nodesAreReady();
  for (const resource of startingCluster(setup.starting)) await cluster.create(resource);
  if (tenantNodes > 0) await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenants' } });
  const tenants = Math.ceil((tenantNodes * podsPerTenantNode) / replicasPerTenant);
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    const left = tenantNodes * podsPerTenantNode - tenant * replicasPerTenant;
    await cluster.create(tenantDeployment(`tenant-${tenant}`, Math.min(left, replicasPerTenant)));
  }
}

const zonesFor = (count: number, region: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${region}${'abc'[index % 3]}`);

function tenantDeployment(name: string, replicas: number): Deployment {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'tenants' },
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
