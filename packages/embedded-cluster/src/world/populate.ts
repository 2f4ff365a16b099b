import type { Cluster } from '../kubernetes/cluster.ts';
import type { Machines } from '../machines/machines.ts';
import type { Setup } from '../setup/setup.ts';
import type { Surroundings } from '../setup/surroundings.ts';
import { systemLabels } from '../setup/system-workload.ts';
import { imagesOf, managedNodes, startingCluster, systemNodes } from './starting-cluster.ts';
import { createTenants, tenantImage, tenantLabels } from './tenants.ts';

export interface Population {
  readonly setup: Setup;
  readonly tenantNodes: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly nodesAreReady: () => Promise<void>;
}

/**
 * Creates what exists before a validation: machines, the installed components, and the nodes and pods of other teams.
 */
export async function populate(
  machines: Machines,
  clusterAs: (user: string) => Cluster,
  { setup, tenantNodes, random, now, nodesAreReady }: Population,
): Promise<void> {
  const { zones } = setup.surroundings;
  const systemImages = imagesOf(setup);
  const base = { capacityType: 'on-demand', tags: {} } as const;
  const { count, type, taints } = systemNodes;
  for (const zone of zonesFor(count, zones)) {
    machines.launch({ ...base, type, zone, labels: systemLabels, taints, bootedWithImages: systemImages });
  }
  for (const zone of zonesFor(setup.surroundings.nodeGroup === undefined ? 0 : managedNodes.count, zones)) {
    const labels = setup.surroundings.nodeGroup ?? {};
    machines.launch({ ...base, type: managedNodes.type, zone, labels, taints: [], bootedWithImages: systemImages });
  }
  const bootedWithImages = [...systemImages, tenantImage];
  const tenants = zonesFor(tenantNodes, zones).map((zone) =>
    machines.launch({ ...base, type: 'm8g.xlarge', zone, labels: tenantLabels, taints: [], bootedWithImages }),
  );
  await nodesAreReady();
  for (const resource of startingCluster(setup)) await clusterAs('installer').create(resource);
  await createTenants({ machines, clusterAs, random, now: now() }, tenants);
}

const zonesFor = (count: number, zones: Surroundings['zones']): readonly string[] =>
  Array.from({ length: count }, (_, index) => zones[index % zones.length] ?? zones[0]);
