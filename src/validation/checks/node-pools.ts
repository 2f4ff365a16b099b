import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Check } from './index.ts';

/**
 * "… and node pools must be healthy": Ready is True of the generation that is there now; `NodeRegistrationHealthy` Unknown
 * is no failure, False is (3.1, facts S3).
 */
export const nodePools: Check = {
  name: 'node-pools',
  mandatory: true,
  async look({ cluster }) {
    const pools = await cluster.list('NodePool');
    const troubles = pools.flatMap(troublesOf);
    return {
      id: 'node-pools',
      severity: troubles.length === 0 ? 'info' : 'error',
      subject: pools.length === 0 ? 'NodePools' : `NodePool ${pools.map(({ metadata }) => metadata.name).join(', ')}`,
      expected: 'every NodePool Ready',
      observed: troubles.length > 0 ? troubles.join('; ') : `${pools.length} NodePools, none in trouble`,
      advice: troubles.length === 0 ? '' : 'see kubectl describe nodepool, and the conditions of its node class',
    };
  },
};

function troublesOf({ metadata, status }: NodePool): readonly string[] {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const registration = conditions.find(({ type }) => type === 'NodeRegistrationHealthy');
  const stale = (ready?.observedGeneration ?? metadata.generation ?? 0) < (metadata.generation ?? 0);
  return [
    ...(ready?.status === 'True'
      ? []
      : [`${metadata.name} has Ready ${ready?.status ?? 'absent'} ${ready?.message ?? ''}`.trim()]),
    ...(stale
      ? [`${metadata.name}'s Ready is of generation ${ready?.observedGeneration}, and ${metadata.generation} is there`]
      : []),
    ...(registration?.status === 'False'
      ? [`nodes of ${metadata.name} do not register: ${registration.message ?? ''}`]
      : []),
  ];
}
