import type { Cluster } from '../../cluster/cluster.ts';
import type { Machines } from '../machines/machines.ts';
import type { Setup } from '../setup/setup.ts';
import { startingCluster, systemImages, systemLabels, systemNodes } from './starting-cluster.ts';
import { moveTenantsIn, tenantImage, tenantLabels } from './tenants.ts';

export interface Population {
  readonly setup: Setup;
  readonly region: string;
  readonly tenantNodes: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly nodesAreReady: () => Promise<void>;
}

/** What was there before anybody came to validate: machines, what is installed on them, and other teams' nodes and pods. */
export async function populate(
  machines: Machines,
  as: (user: string) => Cluster,
  { setup, region, tenantNodes, random, now, nodesAreReady }: Population,
): Promise<void> {
  const base = { capacityType: 'on-demand', tags: {} } as const;
  const { count, type, taints } = systemNodes;
  for (const zone of zonesFor(count, region)) {
    machines.launch({ ...base, type, zone, labels: systemLabels, taints, bootedWithImages: systemImages });
  }
  const bootedWithImages = [...systemImages, tenantImage];
  const tenants = zonesFor(tenantNodes, region).map((zone) =>
    machines.launch({ ...base, type: 'm8g.xlarge', zone, labels: tenantLabels, taints: [], bootedWithImages }),
  );
  await nodesAreReady();
  for (const resource of startingCluster(setup)) await as('installer').create(resource);
  await moveTenantsIn({ machines, as, random, now: now() }, tenants);
}

const zonesFor = (count: number, region: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${region}${'abc'[index % 3]}`);
