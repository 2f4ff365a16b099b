import type { Cluster } from '../../cluster/cluster.ts';
import type { Machines } from '../machines/machines.ts';
import type { Setup } from '../setup/setup.ts';
import { managedNodes, startingCluster, systemImages, systemNodes } from './starting-cluster.ts';
import { systemLabels } from './system-workload.ts';
import { createTenants, tenantImage, tenantLabels } from './tenants.ts';

export interface Population {
  readonly setup: Setup;
  readonly region: string;
  readonly tenantNodes: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly nodesAreReady: () => Promise<void>;
}

/** Creates what exists before a validation: machines, the installed components, and the nodes and pods of other teams. */
export async function populate(
  machines: Machines,
  clusterAs: (user: string) => Cluster,
  { setup, region, tenantNodes, random, now, nodesAreReady }: Population,
): Promise<void> {
  const base = { capacityType: 'on-demand', tags: {} } as const;
  const { count, type, taints } = systemNodes;
  for (const zone of zonesFor(count, region)) {
    machines.launch({ ...base, type, zone, labels: systemLabels, taints, bootedWithImages: systemImages });
  }
  for (const zone of zonesFor(setup.surroundings.nodeGroup === undefined ? 0 : managedNodes.count, region)) {
    const labels = setup.surroundings.nodeGroup ?? {};
    machines.launch({ ...base, type: managedNodes.type, zone, labels, taints: [], bootedWithImages: systemImages });
  }
  const bootedWithImages = [...systemImages, tenantImage];
  const tenants = zonesFor(tenantNodes, region).map((zone) =>
    machines.launch({ ...base, type: 'm8g.xlarge', zone, labels: tenantLabels, taints: [], bootedWithImages }),
  );
  await nodesAreReady();
  for (const resource of startingCluster(setup)) await clusterAs('installer').create(resource);
  await createTenants({ machines, clusterAs, random, now: now() }, tenants);
}

const zonesFor = (count: number, region: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${region}${'abc'[index % 3]}`);
